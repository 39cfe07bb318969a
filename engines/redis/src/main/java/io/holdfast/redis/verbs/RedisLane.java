package io.holdfast.redis.verbs;

import io.holdfast.redis.connection.LaneConnection;
import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.redis.connection.ScriptReply;
import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Verb;
import io.holdfast.spi.support.Admission;
import io.holdfast.spi.support.VerbRounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs batches of verbs over one connection, one trip a round. */
public final class RedisLane implements BatchEngine {

  /** How long a free resource is kept for the first waiter, at least. */
  public static final Duration SHORTEST_RESERVE = Duration.ofMillis(5);

  private static final long LONGEST_RESERVE_MILLIS = 200;
  private static final long NANOS_A_MILLI = 1_000_000;

  private final VerbContext context;
  private final Admission admission;
  private final LaneConnection connection;

  /** False for good once the server has refused a combined script. */
  private boolean combines;

  private boolean isFirstRound;

  /** How long trips take, smoothed: a distant client needs its resource kept for longer. */
  private long tripNanos;

  /** Creates a lane, which closes the connection. */
  public RedisLane(VerbContext context, LaneConnection connection) {
    this.context = context;
    this.admission = context.admission();
    this.connection = connection;
    this.combines = context.combines();
  }

  @Override
  public void perform(List<Verb> batch) {
    List<ScriptStep<?>> open = new ArrayList<>(batch.size());
    for (Verb verb : admission.admit(batch)) {
      open.add(ScriptStep.of(context, verb));
    }
    isFirstRound = true;
    long reserve = reserveMillis();
    VerbRounds.run(open, (round, replies) -> trip(calls(round, reserve), replies));
  }

  /** Combines in the first round only: a step for which that did nothing has its own script. */
  private List<BatchCall> calls(List<ScriptStep<?>> round, long reserve) {
    boolean combined = isFirstRound && combines && round.size() > 1;
    isFirstRound = false;
    return combined ? BatchCall.combined(round, reserve) : BatchCall.single(round, reserve);
  }

  private void trip(List<BatchCall> calls, VerbRounds.Replies<ScriptStep<?>, ScriptReply> replies) {
    List<ScriptCall> sent = new ArrayList<>(calls.size());
    calls.forEach(each -> sent.add(each.call()));
    long start = context.nanoTime().getAsLong();
    connection.run(
        sent,
        (i, reply) -> {
          combines &= !calls.get(i).isCombinationRefused(reply);
          calls.get(i).hear(reply, replies);
        });
    tripNanos += (context.nanoTime().getAsLong() - start - tripNanos) / 8;
  }

  private long reserveMillis() {
    long needed = SHORTEST_RESERVE.toMillis() + 3 * tripNanos / NANOS_A_MILLI;
    return Math.min(LONGEST_RESERVE_MILLIS, needed);
  }

  @Override
  public EngineTraits traits() {
    return context.traits();
  }

  /** Another thread may call it, to break off a trip that takes too long. */
  @Override
  public void close() {
    connection.close();
  }
}
