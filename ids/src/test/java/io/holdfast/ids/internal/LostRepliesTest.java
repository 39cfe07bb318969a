package io.holdfast.ids.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.ids.IdsUnavailableException;
import io.holdfast.ids.LongIds;
import io.holdfast.ids.Supply;
import io.holdfast.ids.TimelineOptions;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.tck.ManualTime;
import io.holdfast.tck.Sandbox;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Time is reserved, and the answer of the store is lost: ids go on, and time is not used up. */
@Timeout(60)
class LostRepliesTest {

  private static final TimelineOptions ANY = TimelineOptions.DEFAULTS;
  private static final TimelineOptions SEVEN = ANY.withWorker(7);
  private static final long WINDOW = DurationChecks.micros(ANY.window());
  private static final long TOLERANCE = DurationChecks.micros(ANY.tolerance());
  private static final Duration UPKEEP = ANY.window().dividedBy(3).plusMillis(1);
  private static final Duration STEP = Duration.ofMillis(50);

  private final Sandbox sandbox = Sandbox.open();
  private final ManualTime time = sandbox.time();
  private final FaultyCounter counter = new FaultyCounter();
  private long last;
  private Duration without = Duration.ZERO;

  @AfterEach
  void close() {
    sandbox.close();
  }

  private TimelineIds open(TimelineOptions options) {
    return TimelineIds.open(
        "orders",
        options,
        time,
        new WorkerLeases(sandbox.holdfast(), counter, time, "orders", options),
        new IdSchemeRecord(
            sandbox.holdfast(), counter, "orders", new IdScheme.Timed(options.layout())));
  }

  private static int worker(LongIds ids) {
    return ids.describe(ids.next()).worker().orElseThrow();
  }

  private static Resource time(int worker) {
    return new Resource("default", "ids/orders/worker/" + worker);
  }

  /** How far the reserved time of the number is ahead of the clock. */
  private long ahead(int worker) throws EngineException {
    return counter.stands(time(worker)) - time.epochMicros();
  }

  /** Asks for an id every 50 ms, and counts the time in which there was none. */
  private void make(LongIds ids, Duration span) {
    long end = time.nanoTime() + span.toNanos();
    while (time.nanoTime() < end) {
      long asked = time.nanoTime();
      try {
        long id = ids.next();
        assertThat(id).as("ids rise").isGreaterThan(last);
        last = id;
        without = Duration.ZERO;
      } catch (IdsUnavailableException e) {
        without = without.plusNanos(time.nanoTime() - asked).plus(STEP);
      }
      time.advance(STEP);
    }
  }

  @Test
  void a_store_that_goes_away_just_before_a_renewal_leaves_two_thirds_of_the_window() {
    try (LongIds ids = open(ANY)) {
      time.advance(UPKEEP.minusMillis(2));
      counter.away = true;
      long end = time.nanoTime() + ANY.window().multipliedBy(2).dividedBy(3).toNanos();
      while (time.nanoTime() < end) {
        assertThat(ids.next()).isGreaterThan(last);
        last = ids.next();
        time.advance(STEP);
      }
      assertThatThrownBy(ids::next)
          .isInstanceOf(IdsUnavailableException.class)
          .hasMessageContaining("no time could be reserved");
    }
  }

  @Test
  void one_answer_that_is_lost_costs_no_id_and_no_number() throws Exception {
    try (LongIds ids = open(ANY)) {
      int first = worker(ids);
      counter.loseNext.set(1);
      time.advance(UPKEEP);
      assertThat(counter.loseNext).as("lost").hasValue(0);
      for (int i = 0; i < 1_200; i++) {
        assertThat(ids.next()).isGreaterThan(last);
        last = ids.next();
        time.advance(STEP);
      }
      assertThat(ids.supply().status()).isEqualTo(Supply.Status.UP);
      assertThat(ahead(first)).isLessThanOrEqualTo(WINDOW + TOLERANCE);
    }
  }

  @Test
  void a_number_that_was_chosen_goes_on_when_the_clock_has_passed_what_was_lost() throws Exception {
    try (LongIds ids = open(SEVEN)) {
      counter.loseNext.set(1);
      time.advance(UPKEEP);
      assertThat(counter.loseNext).as("lost").hasValue(0);
      Duration longest = Duration.ZERO;
      for (int i = 0; i < 60; i++) {
        make(ids, Duration.ofSeconds(1));
        longest = longest.compareTo(without) > 0 ? longest : without;
      }
      assertThat(worker(ids)).isEqualTo(7);
      assertThat(longest).as("a third of a window at most").isLessThan(UPKEEP);
      assertThat(ahead(7)).isLessThanOrEqualTo(WINDOW + TOLERANCE);
    }
  }

  @Test
  void answers_that_are_lost_for_long_do_not_use_up_the_time_of_the_number() throws Exception {
    try (LongIds ids = open(SEVEN)) {
      counter.loseNext.set(Integer.MAX_VALUE);
      int before = counter.takes.get();
      make(ids, Duration.ofMinutes(1));
      assertThat(without).as("no store, no ids").isGreaterThan(Duration.ofSeconds(30));
      assertThat(ids.supply().status()).isEqualTo(Supply.Status.DOWN);
      assertThat(ids.supply().left()).hasValue(Duration.ZERO);
      assertThat(counter.takes.get() - before).as("calls to a store that fails").isLessThan(1_000);
      assertThat(ahead(7)).isLessThanOrEqualTo(2 * WINDOW + TOLERANCE);
      counter.loseNext.set(0);
      make(ids, Duration.ofSeconds(20));
      assertThat(without).isZero();
      assertThat(ids.supply().status()).isEqualTo(Supply.Status.UP);
    }
  }

  @Test
  void who_is_overtaken_by_another_leaves_the_number_and_what_it_took() throws Exception {
    try (LongIds ids = open(ANY)) {
      int first = worker(ids);
      // As one does that had the number before, and does not know yet that it is lost.
      long theirs = counter.take(new Counter.Ask(time(first), WINDOW, 0, false)) + WINDOW;
      make(ids, Duration.ofSeconds(4));
      assertThat(worker(ids)).isNotEqualTo(first);
      assertThat(without).isZero();
      assertThat(counter.stands(time(first))).isEqualTo(theirs);
      assertThat(sandbox.holdfast().lock("ids/orders/worker/" + first).tryAcquire()).isPresent();
    }
  }

  @Test
  void a_number_that_is_passed_over_keeps_its_time() throws Exception {
    long theirs = time.epochMicros() + 2 * WINDOW;
    long ignored = counter.take(new Counter.Ask(time(7), 1, theirs - 1, false));
    for (int i = 0; i < 10; i++) {
      try (LongIds ids = open(SEVEN)) {
        assertThat(ids).as("ahead of the clock by two windows").isNull();
      } catch (IdsUnavailableException e) {
        assertThat(e).hasMessageContaining("correct the clock");
      }
    }
    assertThat(counter.stands(time(7))).isEqualTo(theirs);
  }
}
