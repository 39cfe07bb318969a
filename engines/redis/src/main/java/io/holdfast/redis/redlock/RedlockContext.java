package io.holdfast.redis.redlock;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.support.Admission;
import io.holdfast.spi.support.DurationText;
import io.holdfast.spi.support.RetryDelay;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * What the lanes of an engine share.
 *
 * @param patience how long a round may wait for clocks
 * @param maxLease the longest lease; a restarted master does not vote for that long
 * @param splits counts the rounds in which no ticket had a majority
 */
public record RedlockContext(
    EngineTraits traits,
    RedlockMasters masters,
    RedlockBallots ballots,
    RedlockTicketTable tickets,
    LongSupplier nanoTime,
    Duration patience,
    Duration maxLease,
    LongAdder splits) {

  private static final long SPARE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** Anywhere between nothing and the full delay: that separates rivals best. */
  private static final RetryDelay AFTER_SPLIT =
      new RetryDelay(
              Duration.ofMillis(10),
              Duration.ofMillis(320),
              () -> ThreadLocalRandom.current().nextDouble())
          .withSpread(1);

  /** Returns the refusals of this store. */
  public Refusals refusals() {
    return new Refusals(traits.store());
  }

  int majority() {
    return masters.majority();
  }

  /** Returns the checks before the masters. */
  Admission admission() {
    return Admission.of(traits)
        .explainedBy(RedlockContext::whyNot)
        .withLongestLease(
            maxLease,
            "a restarted server waits only for leases of "
                + DurationText.of(maxLease)
                + "; set maxLease, to the same value for all clients");
  }

  /** Returns why there is only the mutex without an order; a clause that can follow a colon. */
  public static String whyNot(Shape shape) {
    return switch (shape.kind()) {
      case MUTEX ->
          "independent servers see waiters in different orders, and no majority of them has one"
              + " order; use redis:, zookeeper: or etcd:";
      case SEMAPHORE ->
          "majorities overlap in one server, which decides who holds a single lock; of several"
              + " permits each server would count another part, so that too many get in or none";
      case READ_WRITE ->
          "each of several readers would need its own majority, and a writer one that overlaps with"
              + " all of them, even with those of readers that some servers have lost";
      case ONCE ->
          "a mark must outlive its maker, and only leases that are renewed survive restarts of"
              + " servers here";
    };
  }

  /**
   * Returns what is left of a lease that the masters count from after it was sent: less the time
   * that the replies took, and less what their clocks may run faster.
   */
  Duration validity(Duration lease, long nanosTaken) {
    return lease.minusNanos(nanosTaken).minus(lease.dividedBy(100)).minusNanos(SPARE_NANOS);
  }

  /** Returns a random time, longer the more often no ticket had a majority. */
  static Duration untilNextTry(int splits) {
    return AFTER_SPLIT.after(splits + 1).plusMillis(1);
  }

  EngineException noMajority(Ticket ticket, RedlockTally tally, boolean doubt) {
    String text =
        refusals().about(ticket)
            + " got no majority, which is "
            + majority()
            + " of "
            + masters.size()
            + ": "
            + tally;
    if (tally.count(RedlockVote.UNABLE) > masters.size() - majority()) {
      return new EngineException.Refused(text);
    }
    return doubt
        ? new EngineException.Unknown(text, null)
        : new EngineException.NotDone(text, null);
  }
}
