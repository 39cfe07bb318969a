package io.holdfast.redis;

import io.holdfast.redis.wire.Members;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * What all lanes of an engine share.
 *
 * @param patience how long a round may wait for clocks
 * @param maxLease the longest lease that a restarted master is kept from voting for
 * @param splits how often nobody had a majority
 */
record RedlockShared(
    Members members,
    RedlockBallots ballots,
    RedlockTickets tickets,
    Refusals refusals,
    LongSupplier nanoTime,
    Duration patience,
    Duration maxLease,
    LongAdder splits) {

  private static final long SPARE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final int FIRST_PAUSE_MILLIS = 10;
  private static final int MOST_DOUBLINGS = 5;

  int majority() {
    return members.majority();
  }

  /**
   * What is left of a lease that the masters count from after it was sent: less the time that the
   * answers took, and less what their clocks may run faster.
   */
  Duration validity(Duration lease, long nanosTaken) {
    return lease.minusNanos(nanosTaken).minus(lease.dividedBy(100)).minusNanos(SPARE_NANOS);
  }

  /** A random time, longer the more often nobody had a majority. */
  static Duration untilNextTry(int splits) {
    int most = FIRST_PAUSE_MILLIS << Math.min(splits, MOST_DOUBLINGS);
    return Duration.ofMillis(1 + ThreadLocalRandom.current().nextInt(most));
  }

  EngineException noMajority(Ticket ticket, RedlockTally tally, boolean doubt) {
    String text =
        refusals.about(ticket)
            + " got no majority, which is "
            + majority()
            + " of "
            + members.size()
            + ": "
            + tally;
    if (tally.count(RedlockVote.UNABLE) > members.size() - majority()) {
      return new EngineException.Refused(text);
    }
    return doubt
        ? new EngineException.Unknown(text, null)
        : new EngineException.NotDone(text, null);
  }
}
