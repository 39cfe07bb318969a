package io.holdfast.tck;

import io.holdfast.World;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** How time passes in a test of the kit: by hand where that is possible, else for real. */
final class StageTime {

  /** Against real time, a bound fails a test only when it is missed by this factor. */
  private static final int TOLERANCE = 5;

  /** A figure is printed when it takes more than this fraction of its bound. */
  private static final int WORTH_TELLING = 4;

  private static final Duration BUSY_PATIENCE = Duration.ofMillis(50);
  private static final long LOOK_NANOS = 2_000_000;
  private static final int STEPS = 200;

  private final Optional<ManualTime> manual;

  StageTime(Optional<ManualTime> manual) {
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

  /** A little time, so that others get on. */
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
   * @param bound exact in manual time; against real time the figure is printed, and only five times
   *     the bound is a failure
   * @return how long it took
   */
  Duration until(String what, Duration bound, Callable<Boolean> condition) {
    long begin = now();
    Duration most = isManual() ? bound : bound.multipliedBy(TOLERANCE);
    Duration step = Duration.ofMillis(Math.max(1, bound.toMillis() / STEPS));
    while (!holds(condition)) {
      if (since(begin).compareTo(most) > 0) {
        throw new TooLate(what + ": not within " + most);
      }
      passBriefly(step);
    }
    Duration took = since(begin);
    if (!isManual() && took.multipliedBy(WORTH_TELLING).compareTo(bound) > 0) {
      Figures.print(what, took, bound);
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
