package io.holdfast.ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.tck.ManualTime;
import io.holdfast.tck.Sandbox;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** U21: worker numbers are leased, and never two generators have the same. */
@Timeout(60)
class U21WorkerNumbersTest {

  private static final IdLayout FEW =
      new IdLayout(Instant.parse("2025-01-01T00:00:00Z"), Duration.ofMillis(1), 41, 5, 12);
  private static final TimelineOptions TWO =
      TimelineOptions.DEFAULTS.withLayout(
          new IdLayout(Instant.parse("2025-01-01T00:00:00Z"), Duration.ofMillis(1), 41, 1, 12));
  private static final TimelineOptions OPTIONS = TimelineOptions.DEFAULTS.withLayout(FEW);

  private final Sandbox sandbox = Sandbox.open();
  private final ManualTime time = sandbox.time();

  @AfterEach
  void close() {
    sandbox.close();
  }

  private static int worker(LongIds ids) {
    return ids.describe(ids.next()).worker().orElseThrow();
  }

  @Test
  void of_100_that_start_32_get_a_number_and_the_others_are_told_why() {
    List<LongIds> open = new ArrayList<>();
    int refused = 0;
    for (int i = 0; i < 100; i++) {
      try {
        open.add(Ids.over(sandbox.connect(), time).timeline("pods", OPTIONS));
      } catch (IdsUnavailableException e) {
        assertThat(e).hasMessageContaining("all 32 worker numbers are taken");
        refused++;
      }
    }
    assertThat(refused).isEqualTo(68);
    Set<Integer> workers = new HashSet<>();
    Set<Long> ids = new HashSet<>();
    for (LongIds each : open) {
      workers.add(worker(each));
      for (int i = 0; i < 1_000; i++) {
        assertThat(ids.add(each.next())).isTrue();
      }
    }
    assertThat(workers).hasSize(32);
    open.get(0).close();
    try (LongIds next = Ids.over(sandbox.holdfast(), time).timeline("pods", OPTIONS)) {
      assertThat(next.next()).isPositive();
    }
    open.forEach(LongIds::close);
  }

  @Test
  void a_generator_stops_before_its_lost_number_can_be_given_to_another() throws Exception {
    Holdfast mine = sandbox.connect();
    LongIds ids = Ids.over(mine, time).timeline("orders", OPTIONS);
    int number = worker(ids);
    // The rest of the reserved time would be enough: it is the lease that ends here.
    sandbox.pause(mine);
    int made = untilARivalHas(number, ids, Duration.ofMillis(500));
    assertThat(made).as("ids while it is held").isGreaterThan(20);
    assertThatThrownBy(ids::next)
        .isInstanceOf(IdsUnavailableException.class)
        .hasMessageContaining("lost");
    assertThat(ids.supply().status()).isEqualTo(Supply.Status.DOWN);
  }

  /** Asks for an id at every step; none may come just before a rival has the number. */
  private int untilARivalHas(int number, LongIds ids, Duration step) throws Exception {
    Holdfast rival = sandbox.connect();
    int made = 0;
    while (true) {
      boolean makes = makes(ids, number);
      made += makes ? 1 : 0;
      if (rival.lock("ids/orders/worker/" + number).tryAcquire().isPresent()) {
        assertThat(makes).as("an id, just before another has the number").isFalse();
        return made;
      }
      time.advance(step);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_wall_clock_that_goes_back_or_stops_keeps_no_generator_from_stopping_in_time(boolean stops)
      throws Exception {
    Holdfast mine = sandbox.connect(options -> options.withLease(Duration.ofSeconds(4)));
    StoppedClockWorld clock = new StoppedClockWorld(time);
    TimelineOptions hasty = OPTIONS.withPatience(Duration.ofMillis(1));
    LongIds ids = Ids.over(mine, clock).timeline("orders", hasty);
    int number = worker(ids);
    sandbox.pause(mine);
    time.advance(Duration.ofMillis(3_500));
    assertThat(worker(ids)).as("as it is held").isEqualTo(number);
    if (stops) {
      clock.stop();
    } else {
      time.stepWall(Duration.ofMillis(-900));
    }
    int made = untilARivalHas(number, ids, Duration.ofMillis(10));
    assertThat(made).as("ids while it is held").isGreaterThan(5);
  }

  @Test
  void a_host_that_was_suspended_makes_no_id_with_a_number_that_another_has_by_now()
      throws Exception {
    LongIds ids = Ids.over(sandbox.holdfast(), time).timeline("orders", OPTIONS);
    int number = worker(ids);
    time.suspend(Duration.ofSeconds(40));
    Holdfast rival = sandbox.connect();
    assertThat(rival.lock("ids/orders/worker/" + number).tryAcquire()).isPresent();
    assertThat(makes(ids, number)).isFalse();
    ids.close();
  }

  private static boolean makes(LongIds ids, int number) {
    try {
      return worker(ids) == number;
    } catch (IdsUnavailableException e) {
      return false;
    }
  }

  @Test
  void after_a_lost_lease_it_goes_on_with_another_number_and_larger_ids() throws Exception {
    Holdfast mine = sandbox.connect();
    try (LongIds ids = Ids.over(mine, time).timeline("orders", OPTIONS)) {
      long before = ids.next();
      int number = ids.describe(before).worker().orElseThrow();
      sandbox.expire("ids/orders/worker/" + number);
      // Somebody else has the number by now.
      Holdfast rival = sandbox.connect();
      assertThat(rival.lock("ids/orders/worker/" + number).tryAcquire()).isPresent();
      long after = ids.next();
      assertThat(after).isGreaterThan(before);
      assertThat(ids.describe(after).worker().orElseThrow()).isNotEqualTo(number);
    }
  }

  @Test
  void who_may_wait_gets_the_number_of_a_generator_that_has_died() {
    Holdfast dead = sandbox.connect();
    List<LongIds> taken = takeAll(dead);
    sandbox.pause(dead);
    long start = time.nanoTime();
    TimelineOptions patient = TWO.withWorkerWait(Duration.ofMinutes(2));
    try (LongIds ids = Ids.over(sandbox.connect(), time).timeline("orders", patient)) {
      Duration waited = Duration.ofNanos(time.nanoTime() - start);
      assertThat(ids.next()).isPositive();
      // The lease of the dead one, what a store keeps beyond it, and the pause between two rounds.
      assertThat(waited).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(40));
    }
    assertThat(taken).hasSize(2);
  }

  @Test
  void who_waits_for_a_number_does_so_for_its_time_and_is_told_why() {
    List<LongIds> taken = takeAll(sandbox.connect());
    long start = time.nanoTime();
    TimelineOptions patient = TWO.withWorkerWait(Duration.ofMinutes(1));
    assertThatThrownBy(() -> Ids.over(sandbox.connect(), time).timeline("orders", patient))
        .isInstanceOf(IdsUnavailableException.class)
        .hasMessageContainingAll("within 60 s", "all 2 worker numbers are taken", "orders");
    assertThat(Duration.ofNanos(time.nanoTime() - start))
        .isBetween(Duration.ofSeconds(60), Duration.ofSeconds(61));
    taken.get(0).close();
    try (LongIds next = Ids.over(sandbox.connect(), time).timeline("orders", patient)) {
      assertThat(next.next()).isPositive();
    }
    taken.get(1).close();
  }

  @Test
  void who_waits_for_a_number_can_be_interrupted() {
    List<LongIds> taken = takeAll(sandbox.connect());
    TimelineOptions patient = TWO.withWorkerWait(Duration.ofMinutes(1));
    Holdfast late = sandbox.connect();
    Runnable interrupted = time.schedule(2_000_000_000L, Thread.currentThread()::interrupt);
    try {
      assertThatThrownBy(() -> Ids.over(late, time).timeline("orders", patient))
          .isInstanceOf(IdsUnavailableException.class)
          .hasMessageContaining("interrupted");
    } finally {
      interrupted.run();
    }
    assertThat(Thread.interrupted()).isTrue();
    taken.forEach(LongIds::close);
  }

  private List<LongIds> takeAll(Holdfast holdfast) {
    return List.of(
        Ids.over(holdfast, time).timeline("orders", TWO),
        Ids.over(holdfast, time).timeline("orders", TWO));
  }

  @Test
  void a_number_that_is_chosen_is_leased_all_the_same() {
    TimelineOptions seven = OPTIONS.withWorker(7);
    try (LongIds ids = Ids.over(sandbox.holdfast(), time).timeline("orders", seven)) {
      assertThat(worker(ids)).isEqualTo(7);
      Holdfast rival = sandbox.connect();
      assertThatThrownBy(() -> Ids.over(rival, time).timeline("orders", seven))
          .isInstanceOf(IdsUnavailableException.class)
          .hasMessageContaining("worker number 7 is taken");
    }
  }
}
