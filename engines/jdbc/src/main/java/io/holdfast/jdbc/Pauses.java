package io.holdfast.jdbc;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * The pauses between attempts: they double up to a limit, and each is cut by up to a half, so that
 * those who met once do not meet again.
 *
 * @param random from 0 to 1
 */
record Pauses(Duration first, Duration most, DoubleSupplier random, Sleep sleep) {

  private static final int MOST_DOUBLINGS = 30;

  /** Lets time pass. */
  @FunctionalInterface
  interface Sleep {
    void nanos(long time) throws InterruptedException;
  }

  Pauses {
    if (first.isNegative() || first.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "pauses must be 0 <= first <= most: first=" + first + " most=" + most);
    }
  }

  static Pauses of(Duration first, Duration most) {
    return new Pauses(
        first, most, () -> ThreadLocalRandom.current().nextDouble(), TimeUnit.NANOSECONDS::sleep);
  }

  /**
   * Blocks for the pause after an attempt, counted from one.
   *
   * @return false when the thread was interrupted; its flag is set again
   */
  boolean after(int attempt) {
    long doubled = first.toNanos() << Math.min(attempt - 1, MOST_DOUBLINGS);
    boolean overflown = doubled >> Math.min(attempt - 1, MOST_DOUBLINGS) != first.toNanos();
    long longest = overflown ? most.toNanos() : Math.min(doubled, most.toNanos());
    try {
      sleep.nanos(longest - (long) (longest * random.getAsDouble() / 2));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
