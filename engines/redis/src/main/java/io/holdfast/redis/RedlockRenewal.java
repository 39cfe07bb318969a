package io.holdfast.redis;

import io.holdfast.redis.RedlockTickets.Known;
import io.holdfast.redis.wire.Call;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.List;

/**
 * Keeps a ticket at every master that has it. It never puts it in anywhere: a master that has lost
 * it may have let another in.
 */
final class RedlockRenewal implements RedlockMotion {

  private final RedlockShared shared;
  private final Verb.Renew verb;
  private final Ticket ticket;
  private boolean gone;

  RedlockRenewal(RedlockShared shared, Verb.Renew verb) {
    this.shared = shared;
    this.verb = verb;
    this.ticket = verb.ticket();
  }

  @Override
  public Call call() {
    return gone ? RedlockCalls.leave(ticket, /* tombstone= */ false) : RedlockCalls.renew(ticket);
  }

  @Override
  public boolean count(List<RedlockVote> votes, long sentAt, long now) {
    if (gone) {
      return isGone();
    }
    RedlockTally tally = new RedlockTally(votes, shared.majority());
    Known known = shared.tickets().of(ticket);
    long ballot = known.isGranted() ? known.ballot() : mostCommon(tally);
    int have = tally.have(ballot);
    Duration validity = shared.validity(tally.validFor(ballot, ticket.lease()), now - sentAt);
    if (have >= shared.majority() && !validity.isNegative() && !validity.isZero()) {
      long until = now + validity.toNanos();
      shared.tickets().set(ticket, new Known(ballot, until, known.doubt(), 0, 0, 0));
      verb.complete(new Renewal.Renewed(validity, tally.isWanted()));
      return true;
    }
    if (have + tally.unheard() >= shared.majority()) {
      verb.fail(shared.noMajority(ticket, tally, true));
      return true;
    }
    gone = true;
    return tally.count("R") == 0 && isGone();
  }

  /** No majority has it, and none can have it again: it was never put in after this. */
  private boolean isGone() {
    shared.tickets().forget(ticket);
    verb.complete(new Renewal.Gone(Renewal.Cause.UNKNOWN_TICKET, ""));
    return true;
  }

  private static long mostCommon(RedlockTally tally) {
    long best = 0;
    for (RedlockVote vote : tally.votes()) {
      if (vote.is("R") && tally.have(vote.words().number(1)) > tally.have(best)) {
        best = vote.words().number(1);
      }
    }
    return best;
  }
}
