package io.holdfast.redis;

import io.holdfast.redis.wire.Call;
import io.holdfast.redis.wire.Heard;
import io.holdfast.redis.wire.MembersWire;
import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The engine over the connections of one lane: a batch is put to all masters at the same time. */
final class RedlockLane implements BatchEngine {

  private final RedlockEngine engine;
  private final RedlockShared shared;
  private final MembersWire wire;

  RedlockLane(RedlockEngine engine, RedlockShared shared) {
    this.engine = engine;
    this.shared = shared;
    this.wire = shared.members().connect();
  }

  @Override
  public void perform(List<Verb> batch) {
    List<RedlockMotion> open = new ArrayList<>(batch.size());
    for (Verb verb : batch) {
      if (!verb.isComplete() && engine.mayAsk(verb)) {
        open.add(motion(verb));
      }
    }
    if (!open.isEmpty()) {
      wire.gather();
    }
    while (!open.isEmpty()) {
      open = round(open);
    }
  }

  private RedlockMotion motion(Verb verb) {
    if (verb instanceof Verb.Attempt attempt) {
      return new RedlockAttempt(shared, attempt);
    }
    return verb instanceof Verb.Leave leave
        ? new RedlockLeave(shared, leave)
        : new RedlockRenewal(shared, (Verb.Renew) verb);
  }

  /** Puts all motions to the vote; answers those that need another round. */
  private List<RedlockMotion> round(List<RedlockMotion> open) {
    long pause = 0;
    List<Call> calls = new ArrayList<>(open.size());
    for (RedlockMotion motion : open) {
      pause = Math.max(pause, motion.pause());
      calls.add(motion.call());
    }
    if (pause > 0) {
      LockSupport.parkNanos(pause);
    }
    long sentAt = shared.nanoTime().getAsLong();
    List<Heard> heard = wire.run(Collections.nCopies(shared.members().size(), calls));
    long now = shared.nanoTime().getAsLong();
    List<RedlockMotion> again = new ArrayList<>();
    for (int i = 0; i < open.size(); i++) {
      List<RedlockVote> votes = new ArrayList<>(heard.size());
      for (Heard each : heard) {
        votes.add(RedlockVote.of(each, i));
      }
      if (!open.get(i).count(votes, sentAt, now)) {
        again.add(open.get(i));
      }
    }
    return again;
  }

  @Override
  public EngineTraits traits() {
    return engine.traits();
  }

  /** May come from another thread, to break off a round that takes too long. */
  @Override
  public void close() {
    wire.close();
  }
}
