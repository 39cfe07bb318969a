package io.holdfast.runtime.lane;

import io.holdfast.HoldfastOptions;
import io.holdfast.World;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Verb;
import java.time.Duration;

/**
 * The path of verbs to the store. A simulation replaces it and runs the real code above it.
 *
 * <p>A client has one, and the lock service has one for all its clients. Each verb is completed
 * exactly once, on any thread, even when the store never replies.
 */
public interface Lane {

  /** Is notified when a lane's connection is replaced because a verb took too long. */
  @FunctionalInterface
  interface Replaced {
    void replaced(String lane);
  }

  /**
   * Opens the lanes of an engine.
   *
   * @param options the lanes, the operation timeout, the queue limit and the lease of one client
   */
  static Lane open(LockEngine engine, HoldfastOptions options, World world) {
    return engine.traits().blocking() ? Lanes.open(engine, options, world) : new CallerLane(engine);
  }

  /**
   * Opens the lanes of an engine for verbs of many clients, whose leases differ. A leave or renewal
   * waits at most a sixth of the lease of its own ticket, whatever the other leases are.
   *
   * @param options the lanes, the operation timeout and the queue limit
   * @param shortestLease no ticket has a shorter lease
   */
  static Lane shared(
      LockEngine engine, HoldfastOptions options, Duration shortestLease, World world) {
    return engine.traits().blocking()
        ? Lanes.shared(engine, options, shortestLease, world)
        : new CallerLane(engine);
  }

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

  /** Sets the listener for replaced lanes. */
  default void onReplaced(Replaced listener) {}

  /** Closes threads and connections; queued verbs fail as not done. */
  void close();
}
