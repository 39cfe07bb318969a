package io.holdfast.ids.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.World;
import io.holdfast.ids.IdBlock;
import io.holdfast.ids.IdsUnavailableException;
import io.holdfast.ids.LongIds;
import io.holdfast.ids.SegmentOptions;
import io.holdfast.ids.Supply;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.tck.PausableWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** U55: segments neither starve nor waste, and say in which order their ids are. */
@Timeout(60)
class U55SegmentTest {

  private static final Duration SOON = Duration.ofSeconds(10);
  private static final SegmentOptions OPTIONS =
      SegmentOptions.DEFAULTS.withSteps(100, 10_000_000).withLasting(Duration.ofSeconds(1));

  private final FaultyCounter counter = new FaultyCounter();

  private SegmentIds open(SegmentOptions options) {
    return new SegmentIds(counter.numbers(), options, World.system());
  }

  @Test
  void callers_wait_while_a_slow_store_answers_and_the_step_adapts() throws Exception {
    counter.delayNanos = TimeUnit.MILLISECONDS.toNanos(20);
    try (SegmentIds ids = open(OPTIONS)) {
      List<long[]> made = inParallel(4, 500_000, ids);
      assertDistinct(made);
    }
    Figure.print(
        "segment: 2,000,000 ids on 4 threads, a store of 20 ms: %d trips", counter.takes.get());
    assertThat(counter.takes.get()).as("blocks grow").isLessThan(60);
  }

  private static List<long[]> inParallel(int threads, int each, LongIds ids) throws Exception {
    List<long[]> made = new ArrayList<>();
    List<Thread> running = new ArrayList<>();
    List<Throwable> failed = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      long[] mine = new long[each];
      made.add(mine);
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  mine[i] = ids.next();
                }
              });
      thread.setUncaughtExceptionHandler((who, e) -> failed.add(e));
      running.add(thread);
      thread.start();
    }
    for (Thread thread : running) {
      thread.join();
    }
    assertThat(failed).isEmpty();
    return made;
  }

  private static void assertDistinct(List<long[]> made) {
    for (long[] each : made) {
      for (int i = 1; i < each.length; i++) {
        assertThat(each[i]).as("ids that one thread gets rise").isGreaterThan(each[i - 1]);
      }
    }
    long[] all = made.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    for (int i = 1; i < all.length; i++) {
      assertThat(all[i]).isNotEqualTo(all[i - 1]);
    }
  }

  @Test
  void what_was_fetched_lasts_for_the_configured_time_when_the_store_is_away() {
    Set<Long> seen = new HashSet<>();
    try (SegmentIds ids = open(OPTIONS.withPatience(Duration.ofMillis(50)))) {
      // A steady pace of 20,000 a second, until the blocks have adapted to it.
      paced(ids, seen, Duration.ofMillis(2500), 20_000);
      Await.until("full shelves", SOON, () -> ids.supply().left().orElseThrow().toMillis() > 1000);
      counter.away = true;
      Duration promised = ids.supply().left().orElseThrow();
      long start = System.nanoTime();
      assertThatThrownBy(() -> paced(ids, seen, Duration.ofSeconds(30), 20_000))
          .isInstanceOf(IdsUnavailableException.class)
          .hasMessageContaining("orders");
      Duration lasted = Duration.ofNanos(System.nanoTime() - start);
      Figure.print(
          "segment: the store away, ids lasted %,d ms; configured 1,000 ms, promised %,d ms",
          lasted.toMillis(), promised.toMillis());
      assertThat(lasted).isGreaterThan(Duration.ofMillis(900));
      assertThat(ids.supply().status()).isEqualTo(Supply.Status.DOWN);
      assertThat(ids.supply().left()).hasValue(Duration.ZERO);
      counter.away = false;
      paced(ids, seen, Duration.ofMillis(200), 20_000);
      assertThat(ids.supply().status()).isEqualTo(Supply.Status.UP);
    }
  }

  /** In portions of 5 ms. */
  private static void paced(LongIds ids, Set<Long> seen, Duration time, int aSecond) {
    long start = System.nanoTime();
    long portion = TimeUnit.MILLISECONDS.toNanos(5);
    for (long due = 0; due < time.toNanos(); due += portion) {
      while (System.nanoTime() - start < due) {
        LockSupport.parkNanos(start + due - System.nanoTime());
      }
      for (int i = 0; i < aSecond / 200; i++) {
        assertThat(seen.add(ids.next())).isTrue();
      }
    }
  }

  @Test
  void a_caller_comes_back_within_its_patience_and_what_comes_later_serves_the_next() {
    counter.away = true;
    // Without its timers: nothing is fetched unless a caller wants it.
    PausableWorld world = new PausableWorld(World.system());
    world.pause();
    SegmentOptions hasty = OPTIONS.withPatience(Duration.ofMillis(100));
    try (SegmentIds ids = new SegmentIds(counter.numbers(), hasty, world)) {
      Await.until("a failure", SOON, () -> ids.supply().status() == Supply.Status.DOWN);
      counter.delayNanos = TimeUnit.SECONDS.toNanos(20);
      counter.away = false;
      int before = counter.takes.get();
      long start = System.nanoTime();
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(ids::next)
            .isInstanceOf(IdsUnavailableException.class)
            .hasMessageContaining("at memory: within 100 ms");
      }
      Duration waited = Duration.ofNanos(System.nanoTime() - start);
      assertThat(waited).isBetween(Duration.ofMillis(300), SOON);
      counter.delayNanos = 0;
      Await.until("a block", SOON, () -> !ids.supply().left().orElseThrow().isZero());
      assertThat(ids.next()).isEqualTo(1);
      assertThat(counter.takes.get() - before).as("trips for all of them").isEqualTo(1);
    }
  }

  @Test
  void a_graceful_stop_gives_the_unused_ids_back() {
    long next = 1;
    for (int round = 0; round < 5; round++) {
      try (SegmentIds ids = open(OPTIONS)) {
        for (int i = 0; i < 250; i++) {
          assertThat(ids.next()).isEqualTo(next++);
        }
      }
    }
  }

  @Test
  void a_stop_gives_back_nothing_that_others_have_gone_past() {
    Set<Long> seen = new HashSet<>();
    for (int round = 0; round < 5; round++) {
      try (SegmentIds one = open(OPTIONS);
          SegmentIds two = open(OPTIONS)) {
        for (int i = 0; i < 333; i++) {
          assertThat(seen.add(one.next())).isTrue();
          assertThat(seen.add(two.next())).isTrue();
        }
      }
    }
  }

  @Test
  void an_answer_that_is_lost_wastes_a_block_and_repeats_none() throws Exception {
    counter.loseEvery = 3;
    SegmentOptions small = OPTIONS.withSteps(1_000, 1_000);
    try (SegmentIds ids = open(small)) {
      Set<Long> seen = new HashSet<>();
      for (int i = 0; i < 50_000; i++) {
        assertThat(seen.add(nextInSpite(ids))).isTrue();
      }
    }
  }

  private static long nextInSpite(LongIds ids) {
    while (true) {
      try {
        return ids.next();
      } catch (IdsUnavailableException e) {
        assertThat(e).hasMessageContaining("the answer was lost");
      }
    }
  }

  @Test
  void blocks_are_rows_of_ids_however_large() {
    Set<Long> seen = new HashSet<>();
    try (SegmentIds ids = open(OPTIONS)) {
      for (int count : new int[] {1, 99, 100, 101, 5_000, 3}) {
        IdBlock block = ids.block(count);
        assertThat(block.count()).isEqualTo(count);
        block.ids().forEach(id -> assertThat(seen.add(id)).isTrue());
        assertThat(seen.add(ids.next())).isTrue();
      }
      assertThatThrownBy(() -> ids.block(0)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void asked_one_by_one_the_store_keeps_a_strict_order_over_all_generators() {
    CounterIds one = new CounterIds(counter.numbers());
    CounterIds two = new CounterIds(counter.numbers());
    long last = 0;
    for (int i = 0; i < 1_000; i++) {
      long id = (i % 3 == 0 ? one : two).next();
      assertThat(id).isGreaterThan(last);
      last = id;
    }
    assertThat(one.block(10).first()).isEqualTo(last + 1);
    one.close();
    assertThatThrownBy(one::next).hasMessageContaining("closed");
  }

  @Test
  void on_a_store_that_may_forget_ids_follow_its_clock() {
    counter.forgets = true;
    try (SegmentIds ids = open(OPTIONS)) {
      assertThat(ids.next()).isGreaterThan(1_700_000_000_000_000L);
    }
  }

  @Test
  void blocks_that_follow_the_clock_are_a_second_of_it_at_most() {
    counter.forgets = true;
    int tooMany = 1_000_001;
    SegmentOptions large = OPTIONS.withSteps(1_000_000, 100_000_000);
    try (SegmentIds ids = open(large);
        CounterIds single = new CounterIds(counter.numbers())) {
      for (int i = 0; i < 20_000_000; i++) {
        assertIsPositive(ids.next());
      }
      assertThat(counter.largest.get()).isEqualTo(1_000_000);
      assertThatThrownBy(() -> ids.block(tooMany))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1..1000000, as these ids follow the store's clock");
      assertThatThrownBy(() -> single.block(tooMany)).hasMessageContaining("1..1000000");
      assertThat(single.supply().status()).isEqualTo(Supply.Status.UP);
      assertThat(ids.block(tooMany - 1).count()).isEqualTo(1_000_000);
    }
    assertThatThrownBy(() -> open(large.withSteps(tooMany, tooMany)))
        .isInstanceOf(IllegalArgumentException.class);
    counter.forgets = false;
    try (SegmentIds ids = open(OPTIONS)) {
      assertThat(ids.block(tooMany).count()).isEqualTo(tooMany);
    }
  }

  /** Without a description for each of millions. */
  private static void assertIsPositive(long id) {
    if (id <= 0) {
      throw new AssertionError("not positive: " + id);
    }
  }
}
