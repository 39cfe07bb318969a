package io.holdfast.torture;

import java.time.Duration;

/**
 * A fault that is known to break exclusion at a store. The store's page says why.
 *
 * @param leases how long the fault must have lasted, in leases
 * @param leasesAfter for how long after its end it may begin, in leases
 * @param secondsAfter and for how many seconds more
 * @param untilWhole whether it may also begin until the store is whole again, for a holder that was
 *     stopped or hard to reach meanwhile
 */
record KnownLimit(
    FaultKind kind, double leases, double leasesAfter, double secondsAfter, boolean untilWhole) {

  /** A limit for some leases after the end of a fault. */
  static KnownLimit after(FaultKind kind, double leases, double leasesAfter) {
    return new KnownLimit(kind, leases, leasesAfter, 0, false);
  }

  /**
   * A limit of a fault that clients are told of: it ends some seconds later, and when the store is
   * whole again for clients that the message did not reach in time.
   */
  static KnownLimit announced(FaultKind kind, double secondsAfter) {
    return new KnownLimit(kind, 0, 0, secondsAfter, true);
  }

  /**
   * Whether this explains an overlap: it began between the fault and so long after its end, and
   * lasted for one lease at most. A claim that the store has lost is not believed for longer.
   *
   * @param hampered whether one of the holders was stopped or hard to reach since the fault began
   */
  boolean explains(Fault fault, long start, long end, Duration lease, boolean hampered) {
    if (fault.kind() != kind
        || end - start > lease.toNanos()
        || fault.end() - fault.start() < leases * lease.toNanos()) {
      return false;
    }
    long after = (long) (leasesAfter * lease.toNanos() + secondsAfter * 1e9);
    return fault.touches(start - after, start)
        || (untilWhole && hampered && fault.start() <= start && start <= fault.whole());
  }
}
