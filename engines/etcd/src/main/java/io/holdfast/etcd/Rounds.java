package io.holdfast.etcd;

import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.wire.LeaseLostException;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Asks what several errands ask in one transaction: one entry in the cluster's log. They are of
 * different resources, because the parts of a transaction are compared with the store as it was
 * before, and two that join one line would both see it empty.
 */
final class Rounds {

  private static final int TRIES = 3;

  private final Sessions sessions;
  private final Wire wire;

  Rounds(Sessions sessions, Wire wire) {
    this.sessions = sessions;
    this.wire = wire;
  }

  /** A trip that was answered: in which sessions it went, with what each had kept before. */
  private record Trip(TxnResponse answer, Map<Session, Session.Kept> kept) {}

  /** One trip; answers those that are complete now, with an answer or without. */
  List<Errand> run(List<Errand> round) {
    try {
      return hear(round, ask(round));
    } catch (EngineException.Refused e) {
      return refused(round, e);
    } catch (EngineException e) {
      round.forEach(errand -> errand.fail(e));
      return round;
    }
  }

  /** One that is refused must not spoil the others. */
  private List<Errand> refused(List<Errand> round, EngineException.Refused why) {
    if (round.size() == 1) {
      round.get(0).fail(why);
      return round;
    }
    List<Errand> complete = new ArrayList<>();
    round.forEach(errand -> complete.addAll(run(List.of(errand))));
    return complete;
  }

  private Trip ask(List<Errand> round) throws EngineException {
    for (int i = 1; ; i++) {
      Map<Session, Session.Kept> kept = keep(round);
      TxnRequest request = request(round);
      try {
        return new Trip(wire.txn(request), kept);
      } catch (LeaseLostException e) {
        sessions.doubt();
        if (i > 1) {
          drop(kept);
        }
        if (i == TRIES) {
          throw new EngineException.NotDone("leases end faster than they can be used", e);
        }
      }
    }
  }

  /**
   * They were kept since, with success: some versions of etcd say so of leases that are over. Only
   * those that are over are dropped; if it says of none that it is, all: their tickets move.
   */
  private void drop(Map<Session, Session.Kept> kept) throws EngineException {
    boolean found = false;
    for (Map.Entry<Session, Session.Kept> session : kept.entrySet()) {
      long lease = session.getValue().lease();
      if (wire.timeToLive(lease).getTTL() <= 0) {
        session.getKey().lost(lease);
        found = true;
      }
    }
    if (!found) {
      kept.forEach((session, last) -> session.lost(last.lease()));
    }
  }

  private Map<Session, Session.Kept> keep(List<Errand> round) throws EngineException {
    Map<Session, Session.Kept> kept = new LinkedHashMap<>();
    for (Errand errand : round) {
      Session session = errand.session();
      if (session != null && !kept.containsKey(session)) {
        kept.put(session, session.keep(wire));
      }
    }
    return kept;
  }

  private TxnRequest request(List<Errand> round) throws EngineException {
    if (round.size() == 1) {
      return round.get(0).ask(wire, true);
    }
    TxnRequest.Builder all = TxnRequest.newBuilder();
    for (Errand errand : round) {
      all.addSuccess(Ops.nested(errand.ask(wire, false)));
    }
    return all.build();
  }

  private List<Errand> hear(List<Errand> round, Trip trip) {
    TxnResponse answer = trip.answer();
    Map<Session, EngineException> unsure = confirm(trip);
    List<Errand> complete = new ArrayList<>();
    long revision = answer.getHeader().getRevision();
    for (int i = 0; i < round.size(); i++) {
      Errand errand = round.get(i);
      TxnResponse own = round.size() == 1 ? answer : answer.getResponses(i).getResponseTxn();
      EngineException why = errand.session() == null ? null : unsure.get(errand.session());
      if (why != null) {
        errand.fail(why);
        complete.add(errand);
      } else if (isComplete(errand, own, revision)) {
        complete.add(errand);
      }
    }
    return complete;
  }

  /**
   * The sessions whose leases are not sure. What was asked is done by now: whatever stands in the
   * way of that, of their errands it is not known what came of them.
   */
  private Map<Session, EngineException> confirm(Trip trip) {
    Map<Session, EngineException> unsure = new HashMap<>();
    long term = trip.answer().getHeader().getRaftTerm();
    trip.kept()
        .forEach(
            (session, kept) -> {
              try {
                session.confirm(wire, term, kept);
              } catch (EngineException e) {
                unsure.put(
                    session,
                    new EngineException.Unknown(
                        "it was done, but whether its lease lasts is not known: " + e.getMessage(),
                        e));
              }
            });
    return unsure;
  }

  private boolean isComplete(Errand errand, TxnResponse answer, long revision) {
    try {
      return errand.hear(answer, revision, wire);
    } catch (EngineException e) {
      errand.fail(e);
      return true;
    }
  }
}
