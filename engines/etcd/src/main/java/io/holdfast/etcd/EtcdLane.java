package io.holdfast.etcd;

import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The engine over the calls of one lane: a batch is one transaction, as long as none asks again.
 */
final class EtcdLane implements BatchEngine {

  private final EtcdEngine engine;
  private final Shared shared;
  private final Wire wire;
  private final Rounds rounds;

  EtcdLane(EtcdEngine engine, Shared shared, Wire wire) {
    this.engine = engine;
    this.shared = shared;
    this.wire = wire;
    this.rounds = new Rounds(shared.sessions(), wire);
  }

  @Override
  public void perform(List<Verb> batch) {
    long start = shared.nanoTime().getAsLong();
    List<Errand> open = new ArrayList<>();
    for (Places.Place place : shared.places().over()) {
      open.add(new Expiring(shared, place));
    }
    for (Marks.Mark mark : shared.marks().over()) {
      open.add(new Unmarking(shared.marks(), mark));
    }
    for (Verb verb : batch) {
      Errand errand = verb.isComplete() ? null : errand(verb, start);
      if (errand != null) {
        open.add(errand);
      }
    }
    open.addAll(turn(batch, open));
    while (!open.isEmpty()) {
      List<Errand> round = oneForEachResource(open);
      for (Errand errand : rounds.run(round)) {
        errand.over();
        open.remove(errand);
      }
    }
    shared.looks().tell();
  }

  /**
   * With renewals others are looked at as well, so that all have their turn: as many as there is
   * room for in a trip that keeps the lease anyway, and half a trip of them at least.
   */
  private List<Errand> turn(List<Verb> batch, List<Errand> open) {
    List<Errand> turn = new ArrayList<>();
    if (batch.stream().anyMatch(Verb.Renew.class::isInstance)) {
      boolean keeps = open.stream().anyMatch(e -> e instanceof Renewing r && r.keepsLease());
      int room = EtcdEngine.BATCH - Math.min(open.size(), EtcdEngine.BATCH / 2);
      for (Looks.Last last : shared.looks().turn(room, keeps)) {
        turn.add(new Checking(shared, last));
      }
    }
    return turn;
  }

  /** Two errands of one resource in a transaction would not see each other. */
  private static List<Errand> oneForEachResource(List<Errand> open) {
    Set<Resource> taken = new HashSet<>();
    List<Errand> round = new ArrayList<>();
    for (Errand errand : open) {
      if (round.size() < EtcdEngine.BATCH && taken.add(errand.resource())) {
        round.add(errand);
      }
    }
    return round;
  }

  private @Nullable Errand errand(Verb verb, long start) {
    if (verb instanceof Verb.Attempt attempt) {
      Attempting attempting = new Attempting(shared, attempt, start);
      if (attempting.isCleared()) {
        attempting.over();
        return null;
      }
      return attempting;
    } else if (verb instanceof Verb.Renew renew) {
      Renewing renewing = new Renewing(shared, renew, start);
      if (renewing.isOver() || renewing.isQuiet()) {
        renewing.over();
        return null;
      }
      return renewing;
    } else if (verb instanceof Verb.Leave leave) {
      return new Leaving(shared, leave);
    } else if (verb instanceof Verb.Settle settle) {
      return settling(settle);
    }
    return resizing((Verb.Resize) verb);
  }

  private @Nullable Errand settling(Verb.Settle settle) {
    if (settle.ticket().shape().kind() != Shape.Kind.ONCE) {
      settle.fail(shared.refusals().settle(settle.ticket()));
      return null;
    }
    return new Settling(shared, settle);
  }

  private @Nullable Errand resizing(Verb.Resize resize) {
    if (!Resizing.isSize(resize.ticket().shape())) {
      resize.fail(shared.refusals().resize(resize.ticket()));
      return null;
    }
    return new Resizing(shared, resize);
  }

  @Override
  public EngineTraits traits() {
    return engine.traits();
  }

  /** May come from another thread, to break off a call that takes too long. */
  @Override
  public void close() {
    wire.close();
  }
}
