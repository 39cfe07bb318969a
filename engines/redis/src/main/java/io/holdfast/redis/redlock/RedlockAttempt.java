package io.holdfast.redis.redlock;

import io.holdfast.redis.connection.Script;
import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.redis.layout.Keys;
import io.holdfast.redis.redlock.RedlockBallots.Proposal;
import io.holdfast.redis.redlock.RedlockTicketTable.Known;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import io.holdfast.spi.Verb;
import io.holdfast.spi.support.OwnerText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Gets a ticket granted by a majority of masters, or undoes what it got. */
final class RedlockAttempt implements RedlockStep {

  /*
   * Same ticket, same token: a granted ticket asks with the ballot that it was granted with;
   * masters that have it renew it, and others may still accept that ballot. The ticket is treated
   * as new only once so many masters have replied otherwise that there can be no majority for that
   * ballot. A ticket that was never granted asks with a new, larger ballot each time, and masters
   * that have it with a lower one raise it: no caller has seen a token of the lower ballot.
   *
   * Nothing stays behind: unless the ticket is granted, or may be, every master is asked to undo
   * it, up to the ballot of the attempt. Masters that do not confirm are asked again when they can
   * be reached, and refuse that ballot if it arrives even later. The undo may be late itself, so it
   * names the ballot, and the ticket never uses that ballot or a lower one again.
   */

  static final Script SCRIPT =
      Script.granting(
              "redlock/redlock-keys",
              "layout/clock",
              "layout/time",
              "layout/extend-lease",
              "redlock/redlock-attempt")
          .withRunId();

  private static final int MOST_ROUNDS = 5;

  /** How long a master remembers a waiter: a little longer than the waiter takes to ask again. */
  private static final Duration WAITER_MARK = Duration.ofMillis(1_500);

  private final RedlockContext context;
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

  RedlockAttempt(RedlockContext context, Verb.Attempt verb) {
    this.context = context;
    this.verb = verb;
    this.ticket = verb.ticket();
    this.bucket = Keys.bucket(Keys.path(ticket.resource()));
    this.before = context.tickets().of(ticket);
    this.raises = !before.isGranted();
    this.ballot =
        raises ? Math.max(before.tried() + 1, context.ballots().first(bucket)) : before.ballot();
    this.doubt = before.doubt();
  }

  @Override
  public long pause() {
    return pause;
  }

  @Override
  public ScriptCall ask() {
    if (outcome != null) {
      return RedlockLeave.undo(ticket, highest, doubt);
    }
    return ScriptCall.of(
        SCRIPT,
        Keys.ofRedlock(ticket),
        ticket.id().encoded(),
        ScriptCall.millis(ticket.lease()),
        "g:" + ticket.resource().namespace(),
        Integer.toString(ticket.generation()),
        Long.toString(ballot),
        ScriptCall.flag(raises),
        ScriptCall.flag(ticket.waits()),
        Long.toString(RedlockBallots.SLACK),
        ScriptCall.millis(WAITER_MARK),
        Long.toString(RedlockLeave.EVERY_BALLOT),
        OwnerText.write(ticket.owner()));
  }

  @Override
  public boolean hear(RedlockVotes votes) {
    pause = 0;
    if (outcome != null) {
      deferTheRest(votes.all());
      outcome.run();
      return DONE;
    }
    rounds++;
    highest = Math.max(highest, ballot);
    RedlockTally tally = new RedlockTally(votes.all(), context.majority());
    doubt |= tally.count(RedlockVote.SILENT) > 0;
    EngineException refusal = refusal(tally);
    if (refusal != null) {
      return end(tally, () -> failed(refusal));
    }
    if (tally.grants(ballot, before.isGranted()) >= context.majority()) {
      return granted(tally, votes);
    }
    return raises ? notGranted(tally) : notGrantedAgain(tally);
  }

  @Override
  public void fail(EngineException failure) {
    verb.fail(failure);
  }

  private @Nullable EngineException refusal(RedlockTally tally) {
    for (RedlockVote vote : tally.votes()) {
      if (vote.is("X")) {
        return context.refusals().left(ticket);
      }
      if (vote.is("N")) {
        return context.refusals().generation(ticket, (int) vote.words().number(1));
      }
    }
    return null;
  }

  private boolean granted(RedlockTally tally, RedlockVotes votes) {
    Duration validity =
        context.validity(tally.validFor(ballot, ticket.lease()), votes.nanosTaken());
    if (validity.compareTo(ticket.lease().dividedBy(2)) < 0) {
      EngineException late = context.noMajority(ticket, tally, true);
      // A holder may rely on the earlier grant: it must not be undone.
      return raises ? end(tally, () -> failed(late)) : completed(() -> failed(late));
    }
    context.ballots().accepted(bucket, ballot, tally.windows(/* voting= */ false));
    long until = votes.now() + validity.toNanos();
    context.tickets().set(ticket, new Known(ballot, until, doubt, 0, 0, 0));
    long token = Token.of(ticket.generation(), ballot);
    verb.complete(new Standing.Granted(token, validity, tally.isWanted()));
    return DONE;
  }

  /** It was granted before: it may still be, or it can no longer be. */
  private boolean notGrantedAgain(RedlockTally tally) {
    if (tally.have(ballot) + tally.unheard() >= context.majority()) {
      return completed(() -> failed(context.noMajority(ticket, tally, true)));
    }
    raises = true;
    return notGranted(tally);
  }

  private boolean notGranted(RedlockTally tally) {
    Optional<Proposal> next =
        context.ballots().next(bucket, tally.windows(before.tried()), context.majority());
    boolean again =
        rounds < MOST_ROUNDS
            && next.isPresent()
            && next.get().nanos() <= context.patience().toNanos();
    if (again) {
      ballot = next.get().ballot();
      pause = next.get().nanos();
      return AGAIN;
    }
    if (tally.isBusy()) {
      return end(tally, () -> waits(tally));
    }
    return end(tally, () -> failed(context.noMajority(ticket, tally, doubt)));
  }

  private void waits(RedlockTally tally) {
    boolean split = tally.isSplit();
    if (split) {
      context.splits().increment();
    }
    if (ticket.waits()) {
      long until = context.nanoTime().getAsLong() + ticket.lease().toNanos();
      int splits = before.splits() + (split ? 1 : 0);
      context.tickets().set(ticket, new Known(0, until, doubt, tried(), 0, splits));
    } else {
      context.tickets().forget(ticket);
    }
    Duration retry = split ? RedlockContext.untilNextTry(before.splits()) : tally.untilFree();
    verb.complete(new Standing.Waiting(0, retry, tally.holder()));
  }

  private void failed(EngineException why) {
    if (why instanceof EngineException.Refused) {
      context.tickets().forget(ticket);
    } else if (outcome != null) {
      long until = before.validUntil();
      context.tickets().set(ticket, new Known(0, until, doubt, tried(), 0, before.splits()));
    } else if (doubt) {
      context.tickets().set(ticket, before.doubted());
    }
    verb.fail(why);
  }

  private long tried() {
    return Math.max(before.tried(), outcome == null ? 0 : highest);
  }

  private static boolean completed(Runnable then) {
    then.run();
    return DONE;
  }

  /** Ends with this outcome, after every master was asked to undo the attempt. */
  private boolean end(RedlockTally tally, Runnable then) {
    if (!doubt && rounds == 1 && !tally.leavesTraces()) {
      return completed(then);
    }
    outcome = then;
    return AGAIN;
  }

  private void deferTheRest(List<RedlockVote> votes) {
    for (int i = 0; i < votes.size(); i++) {
      if (!votes.get(i).isHeard()) {
        context
            .masters()
            .defer(
                i,
                ticket.id().encoded(),
                RedlockLeave.undo(ticket, highest, /* tombstone= */ true));
      }
    }
  }
}
