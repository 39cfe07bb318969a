package io.holdfast.torture;

import java.time.Duration;
import java.util.Random;

/**
 * Something that can be done to a store.
 *
 * @param weight how often, against the others
 * @param shortest how long it lasts at least, in leases
 * @param longest how long it lasts at most, in leases
 * @param recovery waits until nothing of it is left
 */
record StoreFault(
    FaultKind kind, int weight, double shortest, double longest, Action action, Runnable recovery) {

  /** A fault of which nothing is left when its action returns. */
  StoreFault(FaultKind kind, int weight, double shortest, double longest, Action action) {
    this(kind, weight, shortest, longest, action, () -> {});
  }

  /** Puts a fault in force, waits, and takes it away; returns which server it was. */
  @FunctionalInterface
  interface Action {
    /** Must leave the store whole, after the recovery, even when a wait was cut short. */
    String run(FaultTime time, Duration duration, Random random);
  }
}
