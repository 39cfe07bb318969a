package io.holdfast.simulation;

import io.holdfast.spi.Order;
import java.time.Duration;

/**
 * What one seed plays: who competes for what, on which kind of store, with which faults.
 *
 * @param signals whether the store signals waiters and keeps the turn of the first
 * @param grants whether the signal of a line says that the waiter is in
 * @param amnesia whether the store may lose its memory
 */
record SimPlan(
    SimBug bug,
    Target target,
    Duration lease,
    int clients,
    int tasks,
    boolean signals,
    boolean grants,
    boolean amnesia,
    boolean hot) {

  /** What the tasks of a seed compete for. */
  enum Target {
    MUTEX_ANY,
    MUTEX_FIFO,
    SEMAPHORE,
    READ_WRITE
  }

  /** Every so many seeds end with tasks that never rest. */
  private static final int HOT_EVERY = 32;

  private static final int[] LEASES = {2, 4, 10};

  static SimPlan of(long seed, SimBug bug, SimEvents events) {
    boolean hot = isHot(seed);
    return new SimPlan(
        bug,
        target(seed),
        Duration.ofSeconds(LEASES[events.random.nextInt(LEASES.length)]),
        hot ? 2 : 2 + events.random.nextInt(2),
        hot ? 3 : 1 + events.random.nextInt(3),
        events.random.nextInt(3) > 0,
        signalsGrants(seed),
        events.random.nextInt(4) == 0,
        hot);
  }

  /** Whether a seed ends with tasks that never rest. */
  static boolean isHot(long seed) {
    return Math.floorMod(seed, HOT_EVERY) == 0;
  }

  /** Whether the signals of a seed's lines say that the waiter is in. */
  static boolean signalsGrants(long seed) {
    return Math.floorMod(seed, 16) >= 8;
  }

  static Target target(long seed) {
    int pick = Math.floorMod(seed, 8);
    return pick < 4 ? Target.MUTEX_ANY : Target.values()[1 + pick % 3];
  }

  Order order() {
    return target == Target.MUTEX_ANY ? Order.ANY : Order.FIFO;
  }

  boolean exclusive() {
    return target == Target.MUTEX_ANY || target == Target.MUTEX_FIFO;
  }
}
