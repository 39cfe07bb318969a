package io.holdfast.benchmarks;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** How to wait for a lock that can only be tried: ask again a little later, and later again. */
final class Asking {

  private static final long FIRST_PAUSE = TimeUnit.MICROSECONDS.toNanos(500);
  private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(8);
  private static final long WAIT = TimeUnit.SECONDS.toNanos(20);

  /** One question. */
  @FunctionalInterface
  interface Question {
    /** Answers whether the lock is held now. */
    boolean ask() throws Exception;
  }

  private Asking() {}

  /**
   * Returns when the answer was yes.
   *
   * @throws IllegalStateException when it was no for 20 s
   */
  static void untilYes(Question question) throws Exception {
    long end = System.nanoTime() + WAIT;
    long pause = FIRST_PAUSE;
    while (!question.ask()) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("not acquired within " + Units.nanos(WAIT));
      }
      TimeUnit.NANOSECONDS.sleep(ThreadLocalRandom.current().nextLong(pause / 2, pause));
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    }
  }
}
