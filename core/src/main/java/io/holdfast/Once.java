package io.holdfast;

import java.time.Duration;

/**
 * One run in a period, on whichever machine comes first. A run that succeeded leaves a mark in the
 * store that outlives its maker; the mark ends a little before the period does (a tenth of it, at
 * most a minute), so that the next tick finds the way free.
 */
public interface Once {

  /**
   * Runs the body, or waits for whoever runs it: ends with {@link Result#DONE} when that one
   * succeeded and takes over when it failed or died.
   *
   * @throws X what the body throws: then there is no mark, and another may run
   * @throws LockLostException when the hold was lost before the mark stood
   */
  <X extends Exception> Result run(Duration wait, Body<X> body) throws X, InterruptedException;

  /** As {@link #run}, but ends at once with {@link Result#BUSY} when another is running. */
  <X extends Exception> Result runNoWait(Body<X> body) throws X, InterruptedException;

  /** What came of it. */
  enum Result {
    /** The body ran here. */
    RAN,
    /** Another has run it in this period. */
    DONE,
    /** Another runs it now, and this caller did not wait (long enough). */
    BUSY
  }

  /** What is to be run. */
  @FunctionalInterface
  interface Body<X extends Exception> {

    /** Runs under the hold; give its token to guards. */
    void run(Hold hold) throws X;
  }
}
