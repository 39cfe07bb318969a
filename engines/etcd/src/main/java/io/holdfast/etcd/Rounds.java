package io.holdfast.etcd;

import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.wire.LeaseLostException;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import java.util.ArrayList;
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

  private TxnResponse ask(List<Errand> round) throws EngineException {
    for (int i = 1; ; i++) {
      Map<Session, Long> kept = keep(round);
      TxnRequest request = request(round);
      try {
        TxnResponse answer = wire.txn(request);
        for (Map.Entry<Session, Long> session : kept.entrySet()) {
          session.getKey().confirm(wire, answer.getHeader().getRaftTerm(), session.getValue());
        }
        return answer;
      } catch (LeaseLostException e) {
        sessions.doubt();
        if (i > 1) {
          // They were kept since, with success: some versions of etcd say so of leases that are
          // over.
          kept.keySet().forEach(session -> session.lost(session.id()));
        }
        if (i == TRIES) {
          throw new EngineException.NotDone("leases end faster than they can be used", e);
        }
      }
    }
  }

  private Map<Session, Long> keep(List<Errand> round) throws EngineException {
    Map<Session, Long> kept = new LinkedHashMap<>();
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

  private List<Errand> hear(List<Errand> round, TxnResponse answer) {
    List<Errand> complete = new ArrayList<>();
    long revision = answer.getHeader().getRevision();
    for (int i = 0; i < round.size(); i++) {
      Errand errand = round.get(i);
      TxnResponse own = round.size() == 1 ? answer : answer.getResponses(i).getResponseTxn();
      if (isComplete(errand, own, revision)) {
        complete.add(errand);
      }
    }
    return complete;
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
