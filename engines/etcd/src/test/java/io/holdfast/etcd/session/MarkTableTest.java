package io.holdfast.etcd.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Until when a mark counts, whatever its lease says later. */
class MarkTableTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private long now = Long.MAX_VALUE - 1_000;
  private final MarkTable marks = new MarkTable(() -> this.now);

  private static Resource name(int number) {
    return new Resource("default", "n" + number);
  }

  private static KeyValue mark(int number, long written) {
    ByteString key = ByteString.copyFromUtf8("n" + number);
    return KeyValue.newBuilder().setKey(key).setModRevision(written).build();
  }

  private Duration left(KeyValue mark, Duration most) {
    return marks.left(name(1), mark, most);
  }

  @Test
  void a_lease_that_begins_anew_does_not_prolong_it() {
    marks.made(name(1), mark(1, 5).getKey(), 5, HOUR);
    now += HOUR.toNanos() / 2;
    assertThat(left(mark(1, 5), HOUR)).isLessThan(HOUR.dividedBy(2).plusSeconds(5));
    now += HOUR.toNanos() / 2 + Duration.ofSeconds(5).toNanos();
    assertThat(left(mark(1, 5), HOUR)).isZero();
    assertThat(left(mark(1, 6), HOUR)).as("another mark").isEqualTo(HOUR);
  }

  @Test
  void one_that_was_seen_counts_as_it_was_seen() {
    assertThat(left(mark(1, 5), HOUR)).isEqualTo(HOUR);
    now += Duration.ofMinutes(50).toNanos();
    assertThat(left(mark(1, 5), Duration.ofMinutes(5))).isEqualTo(Duration.ofMinutes(5));
    assertThat(left(mark(1, 5), HOUR)).isLessThan(Duration.ofMinutes(6));
  }

  @Test
  void one_that_counts_no_more_is_taken_out_once() {
    marks.made(name(1), mark(1, 5).getKey(), 5, HOUR);
    now += HOUR.toNanos();
    assertThat(marks.takeExpired()).as("clocks may run apart").isEmpty();
    now += HOUR.toNanos() / 500;
    MarkTable.Mark over = marks.takeExpired().get(0);
    assertThat(over.written()).isEqualTo(5);
    assertThat(marks.takeExpired()).isEmpty();
    marks.notRemoved(over);
    assertThat(marks.takeExpired()).containsExactly(over);
  }

  @Test
  void it_remembers_some_and_not_all() {
    for (int i = 0; i < 2_000; i++) {
      marks.made(name(i), mark(i, 5).getKey(), 5, Duration.ofDays(1_000_000));
    }
    now += HOUR.toNanos();
    assertThat(marks.takeExpired()).isEmpty();
    now += Duration.ofDays(40_000).toNanos();
    List<MarkTable.Mark> over = new ArrayList<>();
    List<MarkTable.Mark> some = marks.takeExpired();
    while (!some.isEmpty()) {
      assertThat(some).as("a few at a time").hasSizeLessThan(50);
      over.addAll(some);
      some = marks.takeExpired();
    }
    assertThat(over).hasSize(1_000).extracting(MarkTable.Mark::resource).contains(name(1_999));
  }
}
