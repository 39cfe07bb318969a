package io.holdfast.tck.conformance;

import io.holdfast.World;
import io.holdfast.spi.support.DurationText;
import io.holdfast.tck.ManualTime;
import io.holdfast.tck.TooLateError;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** The time of a test: manual if the engine supports it, otherwise real. */
final class KitTime {

  /** In real time, a test fails only if it misses its bound by this factor. */
  private static final int TOLERANCE = 5;

  /** A figure is printed if it exceeds this fraction of its bound. */
  private static final int PRINTED_FRACTION = 4;

  private static final Duration BUSY_PATIENCE = Duration.ofMillis(50);
  private static final long LOOK_NANOS = 2_000_000;
  private static final int STEPS = 200;

  private final Optional<ManualTime> manual;

  KitTime(Optional<ManualTime> manual) {
    this.manual = manual;
    manual.ifPresent(ManualTime::drive);
  }

  boolean isManual() {
    return manual.isPresent();
  }

  ManualTime manual() {
    return manual.orElseThrow();
  }

  World world() {
    return manual.isPresent() ? manual.get() : World.system();
  }

  long now() {
    return world().nanoTime();
  }

  Duration since(long then) {
    return Duration.ofNanos(now() - then);
  }

  /** Lets this much time pass. */
  void pass(Duration duration) {
    if (manual.isPresent()) {
      manual.get().advance(duration);
      return;
    }
    long end = System.nanoTime() + duration.toNanos();
    for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** Lets a little time pass, so that other threads proceed. */
  private void passBriefly(Duration step) {
    if (manual.isPresent()) {
      manual.get().advance(step, BUSY_PATIENCE);
    } else {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /**
   * Lets time pass until the condition holds.
   *
   * @param bound exact in manual time; in real time the figure is printed, and only five times the
   *     bound is a failure
   * @return how long it took
   */
  Duration until(String what, Duration bound, Callable<Boolean> condition) {
    long begin = now();
    Duration most = isManual() ? bound : bound.multipliedBy(TOLERANCE);
    Duration step = Duration.ofMillis(Math.max(1, bound.toMillis() / STEPS));
    while (!holds(condition)) {
      if (since(begin).compareTo(most) > 0) {
        throw new TooLateError(what + ": not within " + DurationText.of(most));
      }
      passBriefly(step);
    }
    Duration took = since(begin);
    if (!isManual() && took.multipliedBy(PRINTED_FRACTION).compareTo(bound) > 0) {
      KitOutput.print(what, took, bound);
    }
    return took;
  }

  private static boolean holds(Callable<Boolean> condition) {
    try {
      return condition.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
