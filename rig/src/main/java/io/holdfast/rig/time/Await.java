package io.holdfast.rig.time;

import io.holdfast.tck.TooLateError;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Waiting for a condition, with a bound: what a test does instead of sleeping.
 *
 * <p>The condition is looked at once at the start, then every 1 to 20 ms, and once more at the
 * bound. A condition that throws counts as not yet true; what it threw last becomes the cause of
 * the error.
 */
public final class Await {
  private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

  /** Something that is or is not yet so. */
  @FunctionalInterface
  public interface Condition {
    /** Returns at once whether it is so; an exception means "not yet". */
    boolean holds() throws Exception;
  }

  private Await() {}

  /**
   * Returns as soon as the condition holds.
   *
   * @param what completes the sentence "waited in vain for …"
   * @throws TooLateError when it did not hold within the bound
   * @throws IllegalStateException when the thread was interrupted; its flag is set again
   */
  public static void until(String what, Duration bound, Condition condition) {
    Object ignored =
        value(what, bound, () -> condition.holds() ? Optional.of(true) : Optional.empty());
  }

  /**
   * Returns the value as soon as there is one; otherwise as {@link #until}.
   *
   * @throws TooLateError when there was none within the bound
   */
  public static <T> T value(String what, Duration bound, Callable<Optional<T>> look) {
    long end = System.nanoTime() + bound.toNanos();
    long pause = FIRST_PAUSE;
    while (true) {
      // The clock is read before the look, so that the last look never comes before the bound.
      boolean last = System.nanoTime() - end >= 0;
      Exception obstacle = null;
      try {
        Optional<T> found = look.call();
        if (found.isPresent()) {
          return found.get();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (Exception e) {
        obstacle = e;
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("interrupted while waiting for " + what, obstacle);
      }
      if (last) {
        throw inVain(what, bound, obstacle);
      }
      LockSupport.parkNanos(Math.min(pause, Math.max(0, end - System.nanoTime())));
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    }
  }

  /** Like {@link #until}, but returns false instead of throwing when the bound has passed. */
  public static boolean within(Duration bound, Condition condition) {
    try {
      until("a condition", bound, condition);
      return true;
    } catch (AssertionError e) {
      return false;
    }
  }

  private static AssertionError inVain(String what, Duration bound, @Nullable Exception obstacle) {
    AssertionError late =
        new TooLateError("waited in vain for " + what + " for " + bound.toMillis() + " ms");
    late.initCause(obstacle);
    return late;
  }
}
