package io.holdfast.redis.redlock;

import io.holdfast.redis.connection.Script;
import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.redis.layout.Keys;
import io.holdfast.redis.redlock.RedlockTicketTable.Known;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.time.Duration;

/**
 * Extends the lease of a ticket at every master that has it.
 *
 * <p>Never joins: a master that has lost the ticket may have granted another.
 */
final class RedlockRenew implements RedlockStep {

  static final Script SCRIPT =
      Script.keeping("redlock/redlock-keys", "layout/extend-lease", "redlock/redlock-renew");

  private final RedlockContext context;
  private final Verb.Renew verb;
  private final Ticket ticket;
  private boolean gone;

  RedlockRenew(RedlockContext context, Verb.Renew verb) {
    this.context = context;
    this.verb = verb;
    this.ticket = verb.ticket();
  }

  @Override
  public ScriptCall ask() {
    return gone
        ? RedlockLeave.leave(ticket, /* tombstone= */ false)
        : ScriptCall.of(
            SCRIPT,
            Keys.ofRedlock(ticket),
            ticket.id().encoded(),
            ScriptCall.millis(ticket.lease()));
  }

  @Override
  public boolean hear(RedlockVotes votes) {
    if (gone) {
      return endAsGone();
    }
    RedlockTally tally = new RedlockTally(votes.all(), context.majority());
    Known known = context.tickets().of(ticket);
    long ballot = known.isGranted() ? known.ballot() : mostCommon(tally);
    int have = tally.have(ballot);
    Duration validity =
        context.validity(tally.validFor(ballot, ticket.lease()), votes.nanosTaken());
    if (have >= context.majority() && !validity.isNegative() && !validity.isZero()) {
      long until = votes.now() + validity.toNanos();
      context.tickets().set(ticket, new Known(ballot, until, known.doubt(), 0, 0, 0));
      verb.complete(new Renewal.Renewed(validity, tally.isWanted()));
      return DONE;
    }
    if (have + tally.unheard() >= context.majority()) {
      verb.fail(context.noMajority(ticket, tally, true));
      return DONE;
    }
    gone = true;
    return tally.count("R") == 0 ? endAsGone() : AGAIN;
  }

  @Override
  public void fail(EngineException failure) {
    verb.fail(failure);
  }

  /** No majority has it, and none can have it again, because renewals never join. */
  private boolean endAsGone() {
    context.tickets().forget(ticket);
    verb.complete(new Renewal.Gone(Renewal.Cause.UNKNOWN_TICKET, ""));
    return DONE;
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
