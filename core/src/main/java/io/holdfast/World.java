package io.holdfast;

import java.util.concurrent.Executor;

/**
 * Where time, timers, threads and randomness come from. Programs use {@link #system()}; tests bring
 * one whose time they move by hand.
 */
public interface World {

  /** A monotonic clock in nanoseconds, comparable only with itself. */
  long nanoTime();

  /**
   * The wall clock in microseconds, for display, for token floors and to notice a suspended host.
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
   * first; may return for no reason.
   *
   * @param nanos {@link Long#MAX_VALUE} for no limit
   */
  void park(Object blocker, long nanos);

  /** Lets threads that could run go first, if there are any; may do nothing. */
  default void letOthersRun() {}

  /**
   * Runs users' callbacks and whatever else may block, on as many threads as needed. A task that it
   * refuses, or for which it cannot start a thread, is handed to it again later.
   */
  Executor callbacks();

  /** Starts a daemon thread. */
  Thread start(String name, Runnable body);

  /** 64 bits that nobody can guess. */
  long secret();

  /** The real one: the JDK's clocks, one timer thread and growing daemon threads. */
  static World system() {
    return SystemWorld.INSTANCE;
  }
}
