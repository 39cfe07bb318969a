package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a client knows of a line never lets a ticket in too early. */
class SightTest {

  private static final int ROUNDS = 2_000;

  private final Sight sight = new Sight();

  private static String seat(int place) {
    return "t-mf1-1-" + "0".repeat(31) + "1-" + Integer.toHexString(place) + "-" + (1000 + place);
  }

  @Test
  void oneIsFirstWhenAllThatTheListShowedAheadOfItAreGone() {
    sight.read(List.of(seat(3), seat(1), seat(2)));
    assertThat(sight.first()).contains(seat(1));
    sight.gone(seat(2));
    assertThat(sight.isFirst(seat(3))).isFalse();
    sight.gone(seat(1));
    assertThat(sight.isFirst(seat(3))).isTrue();
  }

  @Test
  void oneThatNoListHasShownIsNotFirst() {
    assertThat(sight.isFirst(seat(1))).isFalse();
    sight.read(List.of(seat(1)));
    sight.gone(seat(1));
    assertThat(sight.isFirst(seat(2))).isFalse();
  }

  @Test
  void namesThatAreReadAgainMeanTheSame() {
    List<String> names = List.of(seat(2), seat(1), "z-3-1004", "somebody");
    Roll before = sight.read(names);
    Roll again = sight.read(names);
    assertThat(again.seats()).isEqualTo(before.seats()).isEqualTo(Roll.of(names).seats());
    assertThat(again.resizes()).isEqualTo(Roll.of(names).resizes());
  }

  /** Lists that are old, signals that come late or not at all: it may only know too little. */
  @Test
  void whoIsFirstHereIsFirstInTheStore() {
    Random random = new Random(7);
    List<String> store = new ArrayList<>();
    List<Runnable> onTheirWay = new ArrayList<>();
    int next = 0;
    int firsts = 0;
    for (int i = 0; i < ROUNDS; i++) {
      if (store.size() < 8 && random.nextInt(3) > 0) {
        store.add(seat(next++));
      } else if (!store.isEmpty()) {
        String gone = store.remove(random.nextInt(2) == 0 ? 0 : random.nextInt(store.size()));
        onTheirWay.add(() -> sight.gone(gone));
      }
      List<String> now = List.copyOf(store);
      onTheirWay.add(() -> sight.read(now));
      if (random.nextInt(4) > 0) {
        Collections.shuffle(onTheirWay, random);
        onTheirWay.remove(0).run();
      }
      for (String each : store) {
        boolean first = sight.isFirst(each);
        firsts += first ? 1 : 0;
        assertThat(!first || store.get(0).equals(each)).isTrue();
      }
    }
    assertThat(firsts).isPositive();
  }
}
