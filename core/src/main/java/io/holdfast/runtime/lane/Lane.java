package io.holdfast.runtime.lane;

import io.holdfast.spi.Verb;

/**
 * The path of verbs to the store. A simulation replaces it and runs the real code above it.
 *
 * <p>Each verb is completed exactly once, on any thread, even when the store never replies.
 */
public interface Lane {

  /** Sends a verb; never blocks on the store unless the engine itself never blocks. */
  void submit(Verb verb);

  /**
   * Takes back a verb that was not sent yet.
   *
   * @return true when it certainly never reaches the store; then it is not completed
   */
  boolean withdraw(Verb verb);

  /** Returns whether so many verbs are queued that new acquires should be rejected. */
  boolean isFull();

  /** Announces leaves and renewals of this lease: a stuck one must leave time for another. */
  default void allowFor(long lease) {}

  /** Closes threads and connections; queued verbs fail as not done. */
  void close();
}
