package io.holdfast.cli.commands.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A silent store is reported")
class StoreSilentNoteTest {

  private static final long START = Long.MAX_VALUE - 5;

  private final StoreSilentNote silence = new StoreSilentNote(START);

  private static long at(Duration time) {
    return START + time.toNanos();
  }

  @Test
  @DisplayName("after some seconds, then less and less often, and at least once an hour")
  void growing() {
    List<Long> told = new ArrayList<>();
    for (long second = 0; second <= Duration.ofHours(6).toSeconds(); second++) {
      if (silence.goesOn(at(Duration.ofSeconds(second)))) {
        told.add(second);
      }
    }
    assertThat(told).startsWith(3L, 63L, 183L, 423L, 903L).hasSizeBetween(8, 14);
    assertThat(told.get(told.size() - 1) - told.get(told.size() - 2)).isEqualTo(3600);
  }

  @Test
  @DisplayName("not after a hiccup")
  void hiccup() {
    assertThat(silence.goesOn(at(StoreSilentNote.FIRST.minusMillis(1)))).isFalse();
    assertThat(silence.ends(at(StoreSilentNote.FIRST))).isFalse();
    assertThat(silence.goesOn(at(StoreSilentNote.FIRST.plusMillis(1)))).isFalse();
  }

  @Test
  @DisplayName("when it is back after a report, and again the next time")
  void back() {
    assertThat(silence.goesOn(at(StoreSilentNote.FIRST))).isTrue();
    Duration back = Duration.ofSeconds(10);
    assertThat(silence.ends(at(back))).isTrue();
    assertThat(silence.ends(at(back))).isFalse();
    assertThat(silence.goesOn(at(back.plus(StoreSilentNote.FIRST)))).isTrue();
    assertThat(silence.lasts(at(back.plusSeconds(4)))).isEqualTo(Duration.ofSeconds(4));
  }
}
