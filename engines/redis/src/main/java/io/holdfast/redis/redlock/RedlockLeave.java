package io.holdfast.redis.redlock;

import io.holdfast.redis.connection.Script;
import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.redis.layout.Keys;
import io.holdfast.redis.redlock.RedlockTicketTable.Known;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.List;

/** Takes a ticket out at every master, waiting or holding. */
final class RedlockLeave implements RedlockStep {

  /*
   * Left is final once a majority has confirmed it: if an attempt was in doubt, a majority has a
   * tombstone, and no late attempt can ever be granted. With fewer confirmations the outcome is
   * unknown, and the leave is repeated. Masters that did not confirm are asked again as soon as they
   * can be reached.
   */

  static final Script SCRIPT = Script.keeping("redlock/redlock-keys", "redlock/redlock-leave");

  /** Above every ballot: all that the ticket ever asked for. */
  static final long EVERY_BALLOT = (1L << 53) - 1;

  private final RedlockContext context;
  private final Verb.Leave verb;
  private final Ticket ticket;
  private final boolean tombstone;

  RedlockLeave(RedlockContext context, Verb.Leave verb) {
    this.context = context;
    this.verb = verb;
    this.ticket = verb.ticket();
    Known known = context.tickets().of(ticket);
    this.tombstone = verb.inDoubt() || known.doubt();
  }

  /** Ends the ticket for good; with a tombstone if an attempt may still be on its way. */
  static ScriptCall leave(Ticket ticket, boolean tombstone) {
    return call(ticket, EVERY_BALLOT, tombstone, true);
  }

  /** Undoes attempts with ballots up to this one; the ticket goes on waiting. */
  static ScriptCall undo(Ticket ticket, long ballot, boolean tombstone) {
    return call(ticket, ballot, tombstone, false);
  }

  private static ScriptCall call(Ticket ticket, long upTo, boolean tombstone, boolean forGood) {
    return ScriptCall.of(
        SCRIPT,
        Keys.ofRedlock(ticket),
        ticket.id().encoded(),
        Long.toString(upTo),
        tombstone ? ScriptCall.millis(ticket.lease()) : "0",
        ScriptCall.flag(forGood));
  }

  @Override
  public ScriptCall ask() {
    return leave(ticket, tombstone);
  }

  @Override
  public boolean hear(RedlockVotes votes) {
    RedlockTally tally = new RedlockTally(votes.all(), context.majority());
    Known known = context.tickets().of(ticket).found(foundAndDeferred(votes.all()));
    if (votes.all().size() - tally.unheard() < context.majority()) {
      context.tickets().set(ticket, known);
      verb.fail(context.noMajority(ticket, tally, true));
      return DONE;
    }
    context.tickets().forget(ticket);
    verb.complete(left(known, tally.unheard(), votes.now()));
    return DONE;
  }

  @Override
  public void fail(EngineException failure) {
    verb.fail(failure);
  }

  /** Returns the masters that had it, one bit each; masters without a reply are asked later. */
  private long foundAndDeferred(List<RedlockVote> votes) {
    long found = 0;
    for (int i = 0; i < votes.size(); i++) {
      if (votes.get(i).is("H")) {
        found |= 1L << i;
      } else if (!votes.get(i).isHeard()) {
        ScriptCall later = leave(ticket, /* tombstone= */ true);
        context.masters().defer(i, ticket.id().encoded(), later);
      }
    }
    return found;
  }

  /** Masters without a reply count as having had it while it was valid. */
  private Left left(Known known, int unheard, long now) {
    int found = Long.bitCount(known.found());
    boolean valid = known.isThere() && known.validUntil() - now > 0;
    boolean may = valid && known.isGranted() && found + unheard >= context.majority();
    if (found >= context.majority() || may) {
      return Left.HOLDING;
    }
    return valid && !known.isGranted() ? Left.WAITING : Left.NOTHING;
  }
}
