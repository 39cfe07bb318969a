package io.holdfast;

import io.holdfast.runtime.time.SystemWorld;
import java.util.concurrent.Executor;

/**
 * The source of time, timers, threads and randomness.
 *
 * <p>Programs use {@link #system()}; tests supply one whose time they control.
 */
public interface World {

  /** Returns a monotonic clock in nanoseconds, comparable only with itself. */
  long nanoTime();

  /**
   * Returns the wall clock in microseconds, for display, for token floors and to notice a suspended
   * host.
   */
  long epochMicros();

  /**
   * Runs a task once after a delay, on a thread where it must not block.
   *
   * @return cancels the task if it has not begun; calling it later has no effect
   */
  Runnable schedule(long delayNanos, Runnable task);

  /**
   * Parks the calling thread until it is unparked, interrupted or the time is up, whichever comes
   * first; may return spuriously.
   *
   * @param nanos {@link Long#MAX_VALUE} for no limit
   */
  void park(Object blocker, long nanos);

  /** Lets other runnable threads go first, if there are any; may do nothing. */
  default void letOthersRun() {}

  /**
   * Runs users' callbacks and other tasks that may block, on as many threads as needed. A task that
   * it rejects, or for which it cannot start a thread, is submitted again later.
   */
  Executor callbacks();

  /** Starts a daemon thread. */
  Thread start(String name, Runnable body);

  /** Returns 64 bits that cannot be guessed. */
  long secret();

  /**
   * Returns the real one: the JDK's clocks, one timer thread and a growing pool of daemon threads.
   */
  static World system() {
    return SystemWorld.INSTANCE;
  }
}
