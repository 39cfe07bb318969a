package io.holdfast.redis.redlock;

import io.holdfast.redis.connection.Script;
import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Verb;
import io.holdfast.spi.support.Admission;
import io.holdfast.spi.support.VerbRounds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Runs batches of verbs as votes of all masters, one trip a round. */
public final class RedlockLane implements BatchEngine {

  /** All scripts that a master runs. */
  public static final List<Script> SCRIPTS =
      List.of(RedlockAttempt.SCRIPT, RedlockRenew.SCRIPT, RedlockLeave.SCRIPT);

  private final RedlockContext context;
  private final Admission admission;
  private final RedlockConnections connections;

  /** Creates a lane and begins to connect it. */
  public RedlockLane(RedlockContext context) {
    this.context = context;
    this.admission = context.admission();
    this.connections = context.masters().connect();
  }

  @Override
  public void perform(List<Verb> batch) {
    List<RedlockStep> open = new ArrayList<>(batch.size());
    for (Verb verb : admission.admit(batch)) {
      open.add(step(verb));
    }
    if (!open.isEmpty()) {
      connections.gather();
    }
    VerbRounds.run(open, this::vote);
  }

  private RedlockStep step(Verb verb) {
    if (verb instanceof Verb.Attempt attempt) {
      return new RedlockAttempt(context, attempt);
    }
    return verb instanceof Verb.Leave leave
        ? new RedlockLeave(context, leave)
        : new RedlockRenew(context, (Verb.Renew) verb);
  }

  /** Puts the steps to the vote. Never fails as a whole: each master has its own vote. */
  private void vote(
      List<RedlockStep> round, VerbRounds.Replies<RedlockStep, RedlockVotes> replies) {
    long pause = 0;
    List<ScriptCall> calls = new ArrayList<>(round.size());
    for (RedlockStep step : round) {
      pause = Math.max(pause, step.pause());
      calls.add(step.ask());
    }
    if (pause > 0) {
      LockSupport.parkNanos(pause);
    }
    long sentAt = context.nanoTime().getAsLong();
    List<MasterReplies> heard =
        connections.run(Collections.nCopies(context.masters().size(), calls));
    long now = context.nanoTime().getAsLong();
    for (int i = 0; i < round.size(); i++) {
      List<RedlockVote> votes = new ArrayList<>(heard.size());
      for (MasterReplies each : heard) {
        votes.add(RedlockVote.of(each, i));
      }
      replies.pass(round.get(i), new RedlockVotes(votes, sentAt, now));
    }
  }

  @Override
  public EngineTraits traits() {
    return context.traits();
  }

  /** Another thread may call it, to break off a round that takes too long. */
  @Override
  public void close() {
    connections.close();
  }
}
