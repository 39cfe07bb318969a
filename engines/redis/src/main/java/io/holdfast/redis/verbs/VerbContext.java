package io.holdfast.redis.verbs;

import io.holdfast.redis.layout.ForeignRecords;
import io.holdfast.redis.signals.HeldTickets;
import io.holdfast.redis.signals.WaiterSignals;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.support.Admission;
import io.holdfast.spi.support.DurationText;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * What the verbs of all lanes of an engine share.
 *
 * @param signals whether waiters are signalled
 * @param publish the command that signals: PUBLISH, or SPUBLISH where channels belong to slots
 * @param combines whether a call may have keys of several buckets
 * @param minReplicas how many replicas must confirm a grant
 * @param quarantineMillis how long nothing is granted after another process took over; 0: never
 */
public record VerbContext(
    EngineTraits traits,
    LongSupplier nanoTime,
    WaiterSignals waiters,
    HeldTickets held,
    RevertedTokens reverted,
    boolean signals,
    String publish,
    boolean combines,
    int minReplicas,
    long quarantineMillis) {

  Refusals refusals() {
    return new Refusals(traits.store());
  }

  ForeignRecords foreign() {
    return new ForeignRecords(refusals());
  }

  boolean isStrict() {
    return quarantineMillis > 0;
  }

  /** Returns the checks before the store. In the strict profile, leases have a limit. */
  Admission admission() {
    Admission admission = Admission.of(traits);
    return isStrict()
        ? admission.withLongestLease(
            Duration.ofMillis(quarantineMillis - 1),
            "in the strict profile it must be shorter than the quarantine of "
                + DurationText.of(Duration.ofMillis(quarantineMillis))
                + ", or a failover lets two in; use a shorter lease, or set maxLease")
        : admission;
  }

  String tooFewReplicas(Ticket ticket) {
    return refusals().about(ticket)
        + " is not safely replicated: fewer than "
        + minReplicas
        + " replicas confirmed it in time; check them and the right to WAIT, or lower minReplicas";
  }
}
