package io.holdfast.spi.support;

import io.holdfast.spi.EngineException;

/**
 * A verb in progress: a small state machine that asks the store, round by round, until it is done.
 *
 * <p>Used by one lane, and so by one thread. {@link VerbRounds} runs the steps of a batch. What a
 * step asks is between the engine's steps and its trip: some stores take one request for each step,
 * others one for a whole round.
 *
 * @param <R> the reply to one step
 */
public interface VerbStep<R> {

  /** Returned by {@link #hear}: the verb is complete. */
  boolean DONE = true;

  /** Returned by {@link #hear}: the step asks again in the next round. */
  boolean AGAIN = false;

  /**
   * Takes the reply of a round, and completes the verb or prepares the next request.
   *
   * @return {@link #DONE} or {@link #AGAIN}
   * @throws EngineException to fail the verb with it
   */
  boolean hear(R reply) throws EngineException;

  /** Completes the verb with a failure. The step is done. */
  void fail(EngineException failure);

  /**
   * Returns whether the next round leaves the step out although it wants to ask again, such as
   * because its caller has given up.
   */
  default boolean isOver() {
    return false;
  }

  /** Called once after the step was done, failed or left out. */
  default void end() {}
}
