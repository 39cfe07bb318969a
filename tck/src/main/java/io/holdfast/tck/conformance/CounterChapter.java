package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.Counter;
import io.holdfast.spi.Counter.Ask;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The counters that ids are made of; skipped for an engine without counters. */
@DisplayName("counters")
interface CounterChapter {

  /** The start of 2020 in microseconds. */
  long LONG_AGO = 1_577_836_800_000_000L;

  private static Ask plain(Resource name, long count) {
    return new Ask(name, count, 0, false);
  }

  @Test
  @Requires(Capability.COUNTER)
  default void blocks_of_one_counter_are_consecutive_across_clients(KitFixture fixture)
      throws Exception {
    Counter mine = fixture.counter();
    Counter theirs = fixture.counter();
    Resource name = fixture.resource("orders");
    assertThat(mine.take(plain(name, 10))).isZero();
    assertThat(theirs.take(plain(name, 5))).isEqualTo(10);
    assertThat(mine.take(plain(name, 1))).isEqualTo(15);
    assertThat(theirs.take(plain(name, Counter.MOST))).isEqualTo(16);
    assertThat(mine.take(plain(name, 1))).isEqualTo(16 + Counter.MOST);
  }

  @Test
  @Requires(Capability.COUNTER)
  default void concurrent_takes_never_return_a_number_twice(KitFixture fixture) throws Exception {
    Resource name = fixture.resource("many");
    List<BackgroundTask<List<long[]>>> takers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Counter counter = fixture.counter();
      long seed = fixture.random().nextLong();
      takers.add(fixture.run("taker-" + i, () -> take(counter, name, seed)));
    }
    List<long[]> all = new ArrayList<>();
    for (BackgroundTask<List<long[]>> taker : takers) {
      all.addAll(taker.result(fixture.soon().multipliedBy(20)));
    }
    all.sort((a, b) -> Long.compare(a[0], b[0]));
    long next = 0;
    for (long[] block : all) {
      assertThat(block[0]).as("no gap and no overlap").isEqualTo(next);
      next += block[1];
    }
  }

  private static List<long[]> take(Counter counter, Resource name, long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    List<long[]> blocks = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      long count = random.nextLong(1, 1000);
      blocks.add(new long[] {counter.take(plain(name, count)), count});
    }
    return blocks;
  }

  @Test
  @Requires(Capability.COUNTER)
  default void a_floor_raises_a_counter_and_never_lowers_it(KitFixture fixture) throws Exception {
    Counter counter = fixture.counter();
    Resource name = fixture.resource("floor");
    assertThat(counter.take(new Ask(name, 3, 1000, false))).isEqualTo(1000);
    assertThat(counter.take(new Ask(name, 3, 500, false))).isEqualTo(1003);
    assertThat(counter.take(new Ask(name, 1, 1006, false))).isEqualTo(1006);
    long high = Counter.HIGHEST_FLOOR;
    assertThat(counter.take(new Ask(name, 1, high, false))).isEqualTo(high);
    assertThat(counter.take(plain(name, 1))).as("exact beyond 2^53").isEqualTo(high + 1);
    assertThat(counter.take(plain(name, Counter.MOST))).isEqualTo(high + 2);
    assertThat(counter.take(plain(name, 1))).isEqualTo(high + 2 + Counter.MOST);
  }

  @Test
  @Requires(Capability.COUNTER)
  default void clocked_blocks_follow_the_clock_and_each_other(KitFixture fixture) throws Exception {
    Counter counter = fixture.counter();
    Resource name = fixture.resource("clock");
    long first = counter.take(new Ask(name, 1, 0, true));
    if (!fixture.time().isManual()) {
      assertThat(first).isGreaterThan(LONG_AGO).isLessThan(3 * LONG_AGO);
    }
    long second = counter.take(new Ask(name, 1_000_000_000, 0, true));
    assertThat(second).isGreaterThan(first);
    // A thousand seconds ahead of the clock: the last block counts, not the clock.
    assertThat(counter.take(new Ask(name, 1, 0, true))).isEqualTo(second + 1_000_000_000);
  }

  @Test
  @Requires(Capability.COUNTER)
  default void giveBack_succeeds_only_for_the_last_block(KitFixture fixture) throws Exception {
    Counter mine = fixture.counter();
    Counter theirs = fixture.counter();
    Resource name = fixture.resource("end");
    assertThat(mine.take(plain(name, 100))).isZero();
    assertThat(theirs.take(plain(name, 100))).isEqualTo(100);
    assertThat(mine.giveBack(name, 40, 100)).as("another client took a block since").isFalse();
    assertThat(theirs.giveBack(name, 150, 200)).isTrue();
    assertThat(mine.take(plain(name, 10))).isEqualTo(150);
    assertThat(mine.giveBack(fixture.resource("never"), 0, 10)).isFalse();
  }

  @Test
  @Requires(Capability.COUNTER)
  default void giveBack_of_an_empty_range_compares_the_counter(KitFixture fixture)
      throws Exception {
    Counter mine = fixture.counter();
    Counter theirs = fixture.counter();
    Resource name = fixture.resource("stands");
    assertThat(mine.giveBack(name, 70, 70)).isFalse();
    assertThat(mine.take(new Ask(name, 1, 69, false))).isEqualTo(69);
    for (int i = 0; i < 3; i++) {
      assertThat(mine.giveBack(name, 70, 70)).isTrue();
      assertThat(theirs.giveBack(name, 70, 70)).isTrue();
      assertThat(theirs.giveBack(name, 69, 69)).isFalse();
    }
    assertThat(theirs.take(plain(name, 1))).isEqualTo(70);
    assertThat(mine.giveBack(name, 70, 70)).isFalse();
  }

  @Test
  @Requires(Capability.COUNTER)
  default void counters_of_different_names_and_namespaces_are_independent(KitFixture fixture)
      throws Exception {
    Counter counter = fixture.counter();
    assertThat(counter.take(plain(fixture.resource("a"), 7))).isZero();
    assertThat(counter.take(plain(fixture.resource("A"), 7))).isZero();
    assertThat(counter.take(plain(fixture.resource("a "), 7))).isZero();
    Resource elsewhere = new Resource(fixture.namespace() + "2", "a");
    assertThat(counter.take(plain(elsewhere, 7))).isZero();
    for (String odd : NamesChapter.ODD) {
      Resource name = fixture.resource("odd/" + odd);
      assertThat(counter.take(plain(name, 1))).as(odd).isZero();
    }
  }

  @Test
  @Requires(Capability.COUNTER)
  default void a_counter_and_a_lock_of_one_name_are_independent(KitFixture fixture)
      throws Exception {
    Counter counter = fixture.counter();
    ApiClient client = fixture.apiClient();
    try (var hold = client.holdfast().lock("both").acquire(Duration.ofHours(1))) {
      assertThat(counter.take(plain(fixture.resource("both"), 2))).isZero();
      hold.ensureHeld();
    }
    assertThat(counter.take(plain(fixture.resource("both"), 2))).isEqualTo(2);
  }

  @Test
  default void a_count_or_floor_out_of_range_is_rejected(KitFixture fixture) {
    Resource name = fixture.resource("range");
    assertThatThrownBy(() -> plain(name, 0)).hasMessageContaining("count must be");
    assertThatThrownBy(() -> plain(name, Counter.MOST + 1)).hasMessageContaining("count must be");
    assertThatThrownBy(() -> new Ask(name, 1, -1, false)).hasMessageContaining("floor must be");
  }
}
