package io.holdfast.tck;

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

/** What ids are made of. An engine without counters has nothing to show here. */
@DisplayName("counters")
interface Counting {

  /** The start of 2020 in microseconds. */
  long LONG_AGO = 1_577_836_800_000_000L;

  private static Ask plain(Resource name, long count) {
    return new Ask(name, count, 0, false);
  }

  @Test
  @Needs(Need.COUNTER)
  default void blocks_of_one_counter_follow_each_other_whoever_takes_them(Stage stage)
      throws Exception {
    Counter mine = stage.counter();
    Counter theirs = stage.counter();
    Resource name = stage.resource("orders");
    assertThat(mine.take(plain(name, 10))).isZero();
    assertThat(theirs.take(plain(name, 5))).isEqualTo(10);
    assertThat(mine.take(plain(name, 1))).isEqualTo(15);
    assertThat(theirs.take(plain(name, Counter.MOST))).isEqualTo(16);
    assertThat(mine.take(plain(name, 1))).isEqualTo(16 + Counter.MOST);
  }

  @Test
  @Needs(Need.COUNTER)
  default void no_number_is_given_out_twice_when_many_take_at_once(Stage stage) throws Exception {
    Resource name = stage.resource("many");
    List<Running<List<long[]>>> takers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Counter counter = stage.counter();
      long seed = stage.random().nextLong();
      takers.add(stage.run("taker-" + i, () -> take(counter, name, seed)));
    }
    List<long[]> all = new ArrayList<>();
    for (Running<List<long[]>> taker : takers) {
      all.addAll(taker.result(stage.soon().multipliedBy(20)));
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
  @Needs(Need.COUNTER)
  default void a_floor_raises_a_counter_and_never_lowers_it(Stage stage) throws Exception {
    Counter counter = stage.counter();
    Resource name = stage.resource("floor");
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
  @Needs(Need.COUNTER)
  default void blocks_taken_by_the_clock_follow_it_and_each_other(Stage stage) throws Exception {
    Counter counter = stage.counter();
    Resource name = stage.resource("clock");
    long first = counter.take(new Ask(name, 1, 0, true));
    if (!stage.time().isManual()) {
      assertThat(first).isGreaterThan(LONG_AGO).isLessThan(3 * LONG_AGO);
    }
    long second = counter.take(new Ask(name, 1_000_000_000, 0, true));
    assertThat(second).isGreaterThan(first);
    // A thousand seconds ahead of the clock: what was given out counts, not the clock.
    assertThat(counter.take(new Ask(name, 1, 0, true))).isEqualTo(second + 1_000_000_000);
  }

  @Test
  @Needs(Need.COUNTER)
  default void an_end_is_given_back_only_if_nobody_took_a_block_since(Stage stage)
      throws Exception {
    Counter mine = stage.counter();
    Counter theirs = stage.counter();
    Resource name = stage.resource("end");
    assertThat(mine.take(plain(name, 100))).isZero();
    assertThat(theirs.take(plain(name, 100))).isEqualTo(100);
    assertThat(mine.giveBack(name, 40, 100)).as("somebody took one since").isFalse();
    assertThat(theirs.giveBack(name, 150, 200)).isTrue();
    assertThat(mine.take(plain(name, 10))).isEqualTo(150);
    assertThat(mine.giveBack(stage.resource("never"), 0, 10)).isFalse();
  }

  @Test
  @Needs(Need.COUNTER)
  default void an_empty_end_tells_where_a_counter_stands(Stage stage) throws Exception {
    Counter mine = stage.counter();
    Counter theirs = stage.counter();
    Resource name = stage.resource("stands");
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
  @Needs(Need.COUNTER)
  default void counters_of_other_names_and_namespaces_are_others(Stage stage) throws Exception {
    Counter counter = stage.counter();
    assertThat(counter.take(plain(stage.resource("a"), 7))).isZero();
    assertThat(counter.take(plain(stage.resource("A"), 7))).isZero();
    assertThat(counter.take(plain(stage.resource("a "), 7))).isZero();
    Resource elsewhere = new Resource(stage.namespace() + "2", "a");
    assertThat(counter.take(plain(elsewhere, 7))).isZero();
    for (String odd : Names.ODD) {
      Resource name = stage.resource("odd/" + odd);
      assertThat(counter.take(plain(name, 1))).as(odd).isZero();
    }
  }

  @Test
  @Needs(Need.COUNTER)
  default void a_counter_and_a_lock_of_one_name_do_not_meet(Stage stage) throws Exception {
    Counter counter = stage.counter();
    Caller caller = stage.caller();
    try (var hold = caller.holdfast().lock("both").acquire(Duration.ofHours(1))) {
      assertThat(counter.take(plain(stage.resource("both"), 2))).isZero();
      hold.ensureHeld();
    }
    assertThat(counter.take(plain(stage.resource("both"), 2))).isEqualTo(2);
  }

  @Test
  default void a_count_or_a_floor_out_of_range_is_not_asked_for(Stage stage) {
    Resource name = stage.resource("range");
    assertThatThrownBy(() -> plain(name, 0)).hasMessageContaining("count must be");
    assertThatThrownBy(() -> plain(name, Counter.MOST + 1)).hasMessageContaining("count must be");
    assertThatThrownBy(() -> new Ask(name, 1, -1, false)).hasMessageContaining("floor must be");
  }
}
