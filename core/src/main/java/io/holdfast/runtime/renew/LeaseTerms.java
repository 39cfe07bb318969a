package io.holdfast.runtime.renew;

import io.holdfast.HoldfastOptions;
import java.time.Duration;
import java.util.Objects;

/**
 * The lease and margins of a claim. Claims with different terms never share a ticket.
 *
 * <p>lockDelay is arithmetic: the store keeps lease + lockDelay, the holder believes lease.
 */
public final class LeaseTerms {

  private final Duration stored;
  private final long lease;
  private final long lockDelay;
  private final double drift;
  private final long margin;
  private final int generation;
  private final boolean fixed;
  private final int hash;

  public LeaseTerms(HoldfastOptions options, Duration lease) {
    this(
        lease,
        options.lockDelay(),
        options.drift(),
        options.margin(),
        options.generation(),
        options.fixedLease());
  }

  public LeaseTerms(
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

  /** Returns what the store is asked to keep. */
  public Duration stored() {
    return stored;
  }

  /** Returns the longest belief of a holder, in nanoseconds. */
  public long lease() {
    return lease;
  }

  public int generation() {
    return generation;
  }

  public boolean fixed() {
    return fixed;
  }

  /**
   * Returns how long after sending a verb its reply may be believed. The drift is taken from the
   * full time that the store counts, because that is what its clock may count wrongly.
   */
  long believable(long validFor) {
    return validFor - lockDelay - (long) (validFor * drift) - margin;
  }

  /*
   * Safety does not depend on this threshold: every jump, however small, is subtracted from what is
   * left (Belief). It only decides when a hold is renewed before its regular time.
   *
   * A healthy host is below it, however long renewals take. Its two clocks move apart by the
   * difference of their rates, for at most a lease:
   *
   *     |rate of wall - rate of monotonic| x lease  <=  0.1 % x lease  <  1 % x lease  <=  suspicion
   *
   * The left side: ntpd slews by at most 0.05 %, and Linux slews both clocks alike, which leaves no
   * difference. The right side: the drift is at least 2 %, half of it is 1 %, and lease / 20 is more.
   * A wall clock that is slewed by more than that costs renewals, never a hold: a hold is lost only
   * by its deadline on the monotonic clock or by a reply of the store.
   *
   * A suspension below it goes unnoticed until the regular renewal. That is safe by the subtraction,
   * and leaves the renewal in time: it takes at most half of drift x lease + margin from a belief of
   * which two thirds are left when a renewal is due.
   */

  /**
   * Returns the jump of the wall clock against the monotonic clock above which a hold is renewed at
   * once.
   */
  public long suspicion() {
    long usual = Math.max(250_000_000L, lease / 20);
    return Math.min(usual, ((long) (lease * drift) + margin) / 2);
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof LeaseTerms that
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
