package io.holdfast.torture;

import java.time.Duration;

/**
 * A fault that is known to let two holders believe at once at a store; the store's page says why.
 *
 * @param leases how long the fault must have lasted, in leases
 */
record KnownLimit(FaultKind kind, double leases) {

  /** Whether this explains what happened at a time: from the fault until a lease after its end. */
  boolean explains(Fault fault, long at, Duration lease) {
    return fault.kind() == kind
        && fault.end() - fault.start() >= leases * lease.toNanos()
        && fault.touches(at - lease.toNanos(), at);
  }
}
