package io.holdfast;

import io.holdfast.spi.Verb;

/**
 * The way to the store, and the seam for simulation: everything above it is the real code.
 *
 * <p>Each verb is completed exactly once, on any thread, also when the store never answers.
 */
interface Lane {

  /** Sends a verb; never blocks on the store unless the engine itself never blocks. */
  void submit(Verb verb);

  /**
   * Takes back a verb that was not sent yet.
   *
   * @return true when it surely never reaches the store; then it is not completed
   */
  boolean withdraw(Verb verb);

  /** Whether so much waits that new acquires should be turned away. */
  boolean isFull();

  /**
   * Leaves and renewals of this lease are on their way: a stuck one must leave time for another.
   */
  default void allowFor(long lease) {}

  /** Gives back threads and connections; what is still queued fails as not done. */
  void close();
}
