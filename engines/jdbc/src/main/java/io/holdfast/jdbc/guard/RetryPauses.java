package io.holdfast.jdbc.guard;

import io.holdfast.spi.support.RetryDelay;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The pauses between attempts. They double up to a limit, each cut at random by up to a half.
 *
 * @param delay how long each pause is
 * @param sleep lets time pass
 */
record RetryPauses(RetryDelay delay, Sleep sleep) {

  /** Lets time pass. */
  @FunctionalInterface
  interface Sleep {
    void nanos(long time) throws InterruptedException;
  }

  static RetryPauses of(Duration first, Duration longest) {
    return new RetryPauses(
        new RetryDelay(first, longest, () -> ThreadLocalRandom.current().nextDouble()),
        TimeUnit.NANOSECONDS::sleep);
  }

  /**
   * Blocks for the pause after an attempt, counted from one.
   *
   * @return false when the thread was interrupted; its flag is set again
   */
  boolean after(int attempt) {
    try {
      sleep.nanos(delay.nanosAfter(attempt));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
