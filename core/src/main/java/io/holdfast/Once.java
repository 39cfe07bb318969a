package io.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One run in each period, on the machine that comes first.
 *
 * <p>A successful run leaves a mark in the store that outlives its process. The mark ends a little
 * before the period does (a tenth of it, at most a minute), so that the next tick is free to run.
 */
public interface Once {

  /**
   * Runs the body, or waits for another caller's run: ends with {@link Result#DONE} when that run
   * succeeded, and takes over when it failed or its process died.
   *
   * @throws X when the body throws it: there is no mark then, and another caller may run
   * @throws LockLostException when the hold was lost before the mark was set
   */
  <X extends Exception> Result run(Duration wait, Body<X> body) throws X, InterruptedException;

  /** As {@link #run}, but ends at once with {@link Result#BUSY} while another caller runs. */
  <X extends Exception> Result runNoWait(Body<X> body) throws X, InterruptedException;

  /**
   * As {@link #run}, without blocking: the hold is kept until the stage that the body returns
   * completes. A stage that succeeds marks the period as done; one that fails leaves no mark.
   *
   * <p>The body is called on a thread where it may block. The future completes on such a thread
   * too, with what {@link #run} would return or throw; a failure of the stage is passed on as it
   * is. Cancelling the future before the body is called leaves the line. Later it does not end the
   * run: the hold is kept, and the period marked, as if nobody had cancelled.
   *
   * @param body must return a stage; null or an exception counts as a failed run
   */
  CompletableFuture<Result> runAsync(
      Duration wait, Function<? super Hold, ? extends CompletionStage<?>> body);

  /** The result of a call. */
  enum Result {
    /** The body ran here. */
    RAN,
    /** Another caller has run it in this period. */
    DONE,
    /** Another caller runs it now, and this caller did not wait (long enough). */
    BUSY
  }

  /** Code that runs once in a period. */
  @FunctionalInterface
  interface Body<X extends Exception> {

    /** Runs under the hold. Pass its token to guards. */
    void run(Hold hold) throws X;
  }
}
