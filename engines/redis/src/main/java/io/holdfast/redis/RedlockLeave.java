package io.holdfast.redis;

import io.holdfast.redis.RedlockTickets.Known;
import io.holdfast.redis.wire.Call;
import io.holdfast.spi.Left;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.List;

/** Takes a ticket out at every master. */
final class RedlockLeave implements RedlockMotion {

  /*
   * Left is final once a majority has confirmed it: with a tombstone at a majority, if there was
   * any doubt, no late attempt can ever be granted. With fewer it is unknown, and repeated. Those
   * that did not confirm it are told as soon as they can be reached.
   */

  private final RedlockShared shared;
  private final Verb.Leave verb;
  private final Ticket ticket;
  private final boolean tombstone;

  RedlockLeave(RedlockShared shared, Verb.Leave verb) {
    this.shared = shared;
    this.verb = verb;
    this.ticket = verb.ticket();
    Known known = shared.tickets().of(ticket);
    this.tombstone = verb.inDoubt() || known.doubt();
  }

  @Override
  public Call call() {
    return RedlockCalls.leave(ticket, tombstone);
  }

  @Override
  public boolean count(List<RedlockVote> votes, long sentAt, long now) {
    RedlockTally tally = new RedlockTally(votes, shared.majority());
    Known known = shared.tickets().of(ticket).found(foundAndOwed(votes));
    if (votes.size() - tally.unheard() < shared.majority()) {
      shared.tickets().set(ticket, known);
      verb.fail(shared.noMajority(ticket, tally, true));
      return true;
    }
    shared.tickets().forget(ticket);
    verb.complete(left(known, tally.unheard(), now));
    return true;
  }

  /** The masters that had it, one bit each; the others are told later. */
  private long foundAndOwed(List<RedlockVote> votes) {
    long found = 0;
    for (int i = 0; i < votes.size(); i++) {
      if (votes.get(i).is("H")) {
        found |= 1L << i;
      } else if (!votes.get(i).isHeard()) {
        Call later = RedlockCalls.leave(ticket, /* tombstone= */ true);
        shared.members().owe(i, ticket.id().encoded(), later);
      }
    }
    return found;
  }

  /** Those that were not heard count as having had it while it was valid. */
  private Left left(Known known, int unheard, long now) {
    int found = Long.bitCount(known.found());
    boolean valid = known.isThere() && known.validUntil() - now > 0;
    boolean may = valid && known.isGranted() && found + unheard >= shared.majority();
    if (found >= shared.majority() || may) {
      return Left.HOLDING;
    }
    return valid && !known.isGranted() ? Left.WAITING : Left.NOTHING;
  }
}
