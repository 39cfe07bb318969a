package io.holdfast.ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.tck.ManualTime;
import io.holdfast.tck.PausableWorld;
import io.holdfast.tck.Sandbox;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** U20: the clock goes back, while ids are made and between a stop and a start. */
class U20ClockRollbackTest {

  private final Sandbox sandbox = Sandbox.open();
  private final ManualTime time = sandbox.time();
  private final Set<Long> seen = new HashSet<>();
  private long last;

  @AfterEach
  void close() {
    sandbox.close();
  }

  private LongIds open(Holdfast holdfast) {
    return Ids.over(holdfast, time).timeline("orders");
  }

  private void make(LongIds ids, int count) {
    for (int i = 0; i < count; i++) {
      long id = ids.next();
      assertThat(seen.add(id)).as("a repeated id: %d", id).isTrue();
      assertThat(id).as("ids rise").isGreaterThan(last);
      last = id;
    }
  }

  @Test
  void a_small_step_back_is_absorbed() {
    try (LongIds ids = open(sandbox.holdfast())) {
      make(ids, 10_000);
      time.stepWall(Duration.ofMillis(-900));
      make(ids, 10_000);
      assertThat(ids.supply().status()).isEqualTo(Supply.Status.UP);
      time.stepWall(Duration.ofMillis(900));
      make(ids, 10_000);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT2S", "PT1H", "P1D"})
  void a_large_step_back_is_an_error_until_the_clock_is_right_again(Duration step) {
    try (LongIds ids = open(sandbox.holdfast())) {
      make(ids, 100);
      time.stepWall(step.negated());
      assertThatThrownBy(ids::next)
          .isInstanceOfSatisfying(
              ClockRegressionException.class,
              e -> assertThat(e.behind()).isBetween(step.minusMillis(50), step.plusMillis(50)))
          .hasMessageContaining("correct the clock");
      assertThat(ids.supply().status()).isEqualTo(Supply.Status.DOWN);
      time.stepWall(step);
      make(ids, 100);
      assertThat(ids.supply().status()).isEqualTo(Supply.Status.UP);
    }
  }

  @Test
  void a_clock_that_stands_still_is_an_error_and_no_endless_loop() {
    StoppedClockWorld still = new StoppedClockWorld(time);
    try (LongIds ids = Ids.over(sandbox.holdfast(), still).timeline("orders")) {
      still.stop();
      assertThatThrownBy(() -> make(ids, 1_000_000))
          .isInstanceOf(ClockRegressionException.class)
          .hasMessageContaining("stands still");
      assertThat(seen).hasSizeGreaterThan(4_096);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT1S", "PT5S", "PT1H", "P1D"})
  void a_step_back_between_a_crash_and_a_start_repeats_nothing(Duration step) {
    TimelineOptions one = TimelineOptions.DEFAULTS.withWorker(7);
    Holdfast first = sandbox.connect();
    PausableWorld world = new PausableWorld(time);
    LongIds ids = Ids.over(first, world).timeline("orders", one);
    make(ids, 5_000);
    // Killed: nothing is given back, and nobody hears of it again.
    world.pause();
    sandbox.pause(first);
    sandbox.faults(first).cut();
    time.advance(Duration.ofSeconds(31));
    time.stepWall(Duration.ofSeconds(-31).minus(step));

    if (step.compareTo(Duration.ofSeconds(1)) > 0) {
      assertThatThrownBy(() -> Ids.over(sandbox.holdfast(), time).timeline("orders", one))
          .isInstanceOf(IdsUnavailableException.class)
          .hasMessageContaining("correct the clock");
    }
    // Another number has no time reserved ahead.
    last = 0;
    try (LongIds again = open(sandbox.holdfast())) {
      make(again, 5_000);
    }
    // When the clock has passed the reserved time, the number serves again.
    time.advance(step.plusSeconds(45));
    try (LongIds again = Ids.over(sandbox.holdfast(), time).timeline("orders", one)) {
      make(again, 5_000);
    }
  }

  @Test
  void a_clean_stop_gives_the_reserved_time_back() {
    TimelineOptions one = TimelineOptions.DEFAULTS.withWorker(7);
    for (int i = 0; i < 20; i++) {
      try (LongIds ids = Ids.over(sandbox.holdfast(), time).timeline("orders", one)) {
        make(ids, 1_000);
      }
      time.advance(Duration.ofMillis(10));
    }
  }

  @Test
  void a_step_forward_and_back_again_repeats_nothing() {
    try (LongIds ids = open(sandbox.holdfast())) {
      make(ids, 100);
      time.stepWall(Duration.ofHours(1));
      time.advance(Duration.ofSeconds(15));
      make(ids, 100);
      time.stepWall(Duration.ofHours(-1));
      assertThatThrownBy(ids::next).isInstanceOf(ClockRegressionException.class);
    }
    last = 0;
    try (LongIds ids = open(sandbox.holdfast())) {
      make(ids, 100);
    }
  }
}
