package io.holdfast.etcd.verbs;

import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Verb;
import io.holdfast.spi.support.Admission;
import io.holdfast.spi.support.VerbRounds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs verbs over one connection, in rounds of one transaction each.
 *
 * <p>A batch takes one round unless a verb has to ask again, or two verbs share a resource.
 */
public final class EtcdLane implements BatchEngine {

  /** How many verbs fit into one transaction, with room for the parts of each. */
  public static final int BATCH = 100;

  private final EngineTraits traits;
  private final Admission admission;
  private final VerbContext context;
  private final EtcdConnection connection;
  private final TxnTrip trip;

  /** A lane that closes the connection when it is closed itself. */
  public EtcdLane(EngineTraits traits, VerbContext context, EtcdConnection connection) {
    this.traits = traits;
    this.admission = Admission.of(traits);
    this.context = context;
    this.connection = connection;
    this.trip = new TxnTrip(context.leases(), context.layout(), connection);
  }

  @Override
  public void perform(List<Verb> batch) {
    long start = context.nanoTime().getAsLong();
    List<TxnStep> open = new ArrayList<>(Housekeeping.expired(context));
    for (Verb verb : admission.admit(batch)) {
      TxnStep step = step(verb, start);
      if (step != null) {
        open.add(step);
      }
    }
    open.addAll(holdChecks(batch, open));
    VerbRounds.run(open, EtcdLane::oneForEachResource, trip);
    context.holds().updateWatches();
  }

  /**
   * Renewals are joined by checks of other holds, so that each is read from time to time: as many
   * as fit into a trip that keeps the lease anyway, and half a trip of them at least.
   */
  private List<TxnStep> holdChecks(List<Verb> batch, List<TxnStep> open) {
    if (batch.stream().noneMatch(Verb.Renew.class::isInstance)) {
      return List.of();
    }
    boolean keepsLease = open.stream().anyMatch(step -> step instanceof Renew r && r.keepsLease());
    int room = BATCH - Math.min(open.size(), BATCH / 2);
    return Housekeeping.checks(context, room, keepsLease);
  }

  /** Two steps of one resource in a transaction would not see each other. */
  private static List<TxnStep> oneForEachResource(List<TxnStep> open) {
    Set<Resource> taken = new HashSet<>();
    List<TxnStep> round = new ArrayList<>();
    for (TxnStep step : open) {
      if (round.size() < BATCH && taken.add(step.resource())) {
        round.add(step);
      }
    }
    return round;
  }

  /** The step of a verb; null if the verb was completed without a trip. */
  private @Nullable TxnStep step(Verb verb, long start) {
    if (verb instanceof Verb.Attempt attempt) {
      Attempt step = new Attempt(context, attempt, start);
      return endIf(step.completeIfCleared(), step);
    } else if (verb instanceof Verb.Renew renew) {
      Renew step = new Renew(context, renew, start);
      return endIf(step.completeIfExpired() || step.completeIfUnchanged(), step);
    } else if (verb instanceof Verb.Leave leave) {
      return new Leave(context, leave);
    } else if (verb instanceof Verb.Settle settle) {
      return settle.ticket().shape().kind() == Shape.Kind.ONCE
          ? new Settle(context, settle)
          : new KeepMutex(context, settle);
    }
    return new Resize(context, (Verb.Resize) verb);
  }

  private static @Nullable TxnStep endIf(boolean complete, TxnStep step) {
    if (complete) {
      step.end();
      return null;
    }
    return step;
  }

  @Override
  public EngineTraits traits() {
    return traits;
  }

  /** May be called by another thread, to cancel a call that takes too long. */
  @Override
  public void close() {
    connection.close();
  }
}
