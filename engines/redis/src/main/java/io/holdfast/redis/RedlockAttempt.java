package io.holdfast.redis;

import io.holdfast.redis.RedlockBallots.Proposal;
import io.holdfast.redis.RedlockTickets.Known;
import io.holdfast.redis.wire.Call;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Puts a ticket in at a majority, or takes back what it got. */
final class RedlockAttempt implements RedlockMotion {

  /*
   * Same ticket, same token: a ticket that was granted asks with the ballot that it was granted
   * with; masters that have it renew it, others may still accept that ballot. Only when so many
   * have said otherwise that there can be no majority for it, the ticket is treated as new. A
   * ticket that was never granted asks with a new, larger ballot each time, and masters that have
   * it with a lower one raise it: nobody has seen a token of the lower one.
   *
   * Nothing stays behind: unless it is granted, or may be, every master is told to take it out
   * again, up to the ballot that was asked with; those that do not confirm it are told again when
   * they can be reached, and refuse that ballot should it arrive later still. Taking back may be
   * late itself: so it names the ballot, and the ticket never uses that one or a lower one again.
   */

  private static final int MOST_ROUNDS = 5;

  private final RedlockShared shared;
  private final Verb.Attempt verb;
  private final Ticket ticket;
  private final int bucket;
  private final Known before;
  private long ballot;
  private long highest;
  private boolean raises;
  private boolean doubt;
  private long pause;
  private int rounds;
  private @Nullable Runnable outcome;

  RedlockAttempt(RedlockShared shared, Verb.Attempt verb) {
    this.shared = shared;
    this.verb = verb;
    this.ticket = verb.ticket();
    this.bucket = RedlockCalls.bucket(ticket);
    this.before = shared.tickets().of(ticket);
    this.raises = !before.isGranted();
    this.ballot =
        raises ? Math.max(before.tried() + 1, shared.ballots().first(bucket)) : before.ballot();
    this.doubt = before.doubt();
  }

  @Override
  public long pause() {
    return pause;
  }

  @Override
  public Call call() {
    return outcome == null
        ? RedlockCalls.attempt(ticket, ballot, raises)
        : RedlockCalls.undo(ticket, highest, doubt);
  }

  @Override
  public boolean count(List<RedlockVote> votes, long sentAt, long now) {
    pause = 0;
    if (outcome != null) {
      oweTheRest(votes);
      outcome.run();
      return true;
    }
    rounds++;
    highest = Math.max(highest, ballot);
    RedlockTally tally = new RedlockTally(votes, shared.majority());
    doubt |= tally.count(RedlockVote.SILENT) > 0;
    EngineException refusal = refusal(tally);
    if (refusal != null) {
      return end(tally, () -> failed(refusal));
    }
    if (tally.grants(ballot, before.isGranted()) >= shared.majority()) {
      return granted(tally, sentAt, now);
    }
    return raises ? notGranted(tally) : notGrantedAnew(tally);
  }

  private @Nullable EngineException refusal(RedlockTally tally) {
    for (RedlockVote vote : tally.votes()) {
      if (vote.is("X")) {
        return shared.refusals().left(ticket);
      }
      if (vote.is("N")) {
        return shared.refusals().generation(ticket, (int) vote.words().number(1));
      }
    }
    return null;
  }

  private boolean granted(RedlockTally tally, long sentAt, long now) {
    Duration validity = shared.validity(tally.validFor(ballot, ticket.lease()), now - sentAt);
    if (validity.compareTo(ticket.lease().dividedBy(2)) < 0) {
      EngineException late = shared.noMajority(ticket, tally, true);
      // What was granted before may be believed in elsewhere: it must not be taken back.
      return raises ? end(tally, () -> failed(late)) : completed(() -> failed(late));
    }
    shared.ballots().accepted(bucket, ballot, tally.windows(/* voting= */ false));
    long until = now + validity.toNanos();
    shared.tickets().set(ticket, new Known(ballot, until, doubt, 0, 0, 0));
    long token = Token.of(ticket.generation(), ballot);
    verb.complete(new Standing.Granted(token, validity, tally.isWanted()));
    return true;
  }

  /** It was granted before: is it still, or can it not be any more? */
  private boolean notGrantedAnew(RedlockTally tally) {
    if (tally.have(ballot) + tally.unheard() >= shared.majority()) {
      return completed(() -> failed(shared.noMajority(ticket, tally, true)));
    }
    raises = true;
    return notGranted(tally);
  }

  private boolean notGranted(RedlockTally tally) {
    Optional<Proposal> next =
        shared.ballots().next(bucket, tally.windows(before.tried()), shared.majority());
    boolean again =
        rounds < MOST_ROUNDS
            && next.isPresent()
            && next.get().nanos() <= shared.patience().toNanos();
    if (again) {
      ballot = next.get().ballot();
      pause = next.get().nanos();
      return false;
    }
    if (tally.isBusy()) {
      return end(tally, () -> waits(tally));
    }
    return end(tally, () -> failed(shared.noMajority(ticket, tally, doubt)));
  }

  private void waits(RedlockTally tally) {
    boolean split = tally.isSplit();
    if (split) {
      shared.splits().increment();
    }
    if (ticket.waits()) {
      long until = shared.nanoTime().getAsLong() + ticket.lease().toNanos();
      int splits = before.splits() + (split ? 1 : 0);
      shared.tickets().set(ticket, new Known(0, until, doubt, tried(), 0, splits));
    } else {
      shared.tickets().forget(ticket);
    }
    Duration retry = split ? RedlockShared.untilNextTry(before.splits()) : tally.untilFree();
    verb.complete(new Standing.Waiting(0, retry, tally.holder()));
  }

  private void failed(EngineException why) {
    if (why instanceof EngineException.Refused) {
      shared.tickets().forget(ticket);
    } else if (outcome != null) {
      long until = before.validUntil();
      shared.tickets().set(ticket, new Known(0, until, doubt, tried(), 0, before.splits()));
    } else if (doubt) {
      shared.tickets().set(ticket, before.doubted());
    }
    verb.fail(why);
  }

  private long tried() {
    return Math.max(before.tried(), outcome == null ? 0 : highest);
  }

  private static boolean completed(Runnable then) {
    then.run();
    return true;
  }

  /** Ends with this, after every master has been told to take the ticket out again. */
  private boolean end(RedlockTally tally, Runnable then) {
    if (!doubt && rounds == 1 && !tally.leavesTraces()) {
      return completed(then);
    }
    outcome = then;
    return false;
  }

  private void oweTheRest(List<RedlockVote> votes) {
    for (int i = 0; i < votes.size(); i++) {
      if (!votes.get(i).isHeard()) {
        shared
            .members()
            .owe(
                i,
                ticket.id().encoded(),
                RedlockCalls.undo(ticket, highest, /* tombstone= */ true));
      }
    }
  }
}
