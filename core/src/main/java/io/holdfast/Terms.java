package io.holdfast;

import java.time.Duration;
import java.util.Objects;

/**
 * What a claim is held under. Claims of other terms never share a ticket.
 *
 * <p>lockDelay is arithmetic: the store keeps lease + lockDelay, the holder believes lease.
 */
final class Terms {

  private final Duration stored;
  private final long lease;
  private final long lockDelay;
  private final double drift;
  private final long margin;
  private final int generation;
  private final boolean fixed;
  private final int hash;

  Terms(HoldfastOptions options, Duration lease) {
    this(
        lease,
        options.lockDelay(),
        options.drift(),
        options.margin(),
        options.generation(),
        options.fixedLease());
  }

  Terms(
      Duration lease,
      Duration lockDelay,
      double drift,
      Duration margin,
      int generation,
      boolean fixed) {
    this.stored = lease.plus(lockDelay);
    this.lease = lease.toNanos();
    this.lockDelay = lockDelay.toNanos();
    this.drift = drift;
    this.margin = margin.toNanos();
    this.generation = generation;
    this.fixed = fixed;
    this.hash = Objects.hash(stored, this.lease, drift, margin, generation, fixed);
  }

  /** What the store is asked to keep. */
  Duration stored() {
    return stored;
  }

  /** What the holder may believe at most, in nanoseconds. */
  long lease() {
    return lease;
  }

  int generation() {
    return generation;
  }

  boolean fixed() {
    return fixed;
  }

  /**
   * How long after sending a verb its answer may be believed. The drift is taken of the full time
   * that the store counts, because that is what its clock may count wrongly.
   */
  long believable(long validFor) {
    return validFor - lockDelay - (long) (validFor * drift) - margin;
  }

  /** The smallest jump of the wall clock against the monotonic one that casts doubt. */
  long suspicion() {
    long usual = Math.max(250_000_000L, lease / 20);
    // Never more than the slack that the deadline keeps: a jump below it costs no safety.
    return Math.min(usual, ((long) (lease * drift) + margin) / 2);
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof Terms that
            && stored.equals(that.stored)
            && lease == that.lease
            && drift == that.drift
            && margin == that.margin
            && generation == that.generation
            && fixed == that.fixed);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
