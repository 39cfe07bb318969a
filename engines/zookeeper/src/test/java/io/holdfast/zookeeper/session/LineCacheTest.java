package io.holdfast.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.zookeeper.layout.LineSnapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a client knows of a line never lets a ticket in too early. */
class LineCacheTest {

  private static final int ROUNDS = 2_000;

  private final LineCache cache = new LineCache();

  private static String seat(int place) {
    return "t-mf1-1-" + "0".repeat(31) + "1-" + Integer.toHexString(place) + "-" + (1000 + place);
  }

  @Test
  void oneIsFirstWhenAllThatTheListShowedAheadOfItAreGone() {
    cache.update(List.of(seat(3), seat(1), seat(2)));
    assertThat(cache.first()).contains(seat(1));
    cache.markGone(seat(2));
    assertThat(cache.isFirst(seat(3))).isFalse();
    cache.markGone(seat(1));
    assertThat(cache.isFirst(seat(3))).isTrue();
  }

  @Test
  void oneThatNoListHasShownIsNotFirst() {
    assertThat(cache.isFirst(seat(1))).isFalse();
    cache.update(List.of(seat(1)));
    cache.markGone(seat(1));
    assertThat(cache.isFirst(seat(2))).isFalse();
  }

  @Test
  void namesThatAreReadAgainMeanTheSame() {
    List<String> names = List.of(seat(2), seat(1), "z-3-1004", "somebody");
    LineSnapshot before = cache.update(names);
    LineSnapshot again = cache.update(names);
    assertThat(again.tickets())
        .isEqualTo(before.tickets())
        .isEqualTo(LineSnapshot.of(names).tickets());
    assertThat(again.resizes()).isEqualTo(LineSnapshot.of(names).resizes());
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
        onTheirWay.add(() -> cache.markGone(gone));
      }
      List<String> now = List.copyOf(store);
      onTheirWay.add(() -> cache.update(now));
      if (random.nextInt(4) > 0) {
        Collections.shuffle(onTheirWay, random);
        onTheirWay.remove(0).run();
      }
      for (String each : store) {
        boolean first = cache.isFirst(each);
        firsts += first ? 1 : 0;
        assertThat(!first || store.get(0).equals(each)).isTrue();
      }
    }
    assertThat(firsts).isPositive();
  }
}
