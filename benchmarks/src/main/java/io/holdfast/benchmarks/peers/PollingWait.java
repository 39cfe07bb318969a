package io.holdfast.benchmarks.peers;

import io.holdfast.cli.bench.Units;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Waits for a lock that can only be tried, with pauses up to 8 ms. The pauses double. */
final class PollingWait {

  private static final long FIRST_PAUSE = TimeUnit.MICROSECONDS.toNanos(500);
  private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(8);
  private static final long WAIT = TimeUnit.SECONDS.toNanos(20);

  private PollingWait() {}

  /**
   * Returns when an attempt succeeded.
   *
   * @throws IllegalStateException if none did for 20 s
   */
  static void until(Callable<Boolean> attempt) throws Exception {
    boolean unused = untilPresent(() -> Optional.of(attempt.call()).filter(taken -> taken));
  }

  /**
   * Returns the result of the first attempt that has one.
   *
   * @throws IllegalStateException if none has for 20 s
   */
  static <T> T untilPresent(Callable<Optional<T>> attempt) throws Exception {
    long end = System.nanoTime() + WAIT;
    long pause = FIRST_PAUSE;
    while (true) {
      Optional<T> result = attempt.call();
      if (result.isPresent()) {
        return result.get();
      }
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("not acquired within " + Units.nanos(WAIT));
      }
      TimeUnit.NANOSECONDS.sleep(ThreadLocalRandom.current().nextLong(pause / 2, pause));
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    }
  }
}
