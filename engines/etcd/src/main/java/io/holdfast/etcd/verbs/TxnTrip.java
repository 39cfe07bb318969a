package io.holdfast.etcd.verbs;

import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.etcd.connection.LeaseNotFoundException;
import io.holdfast.etcd.layout.Layout;
import io.holdfast.etcd.layout.Ops;
import io.holdfast.etcd.session.LeaseRegistry;
import io.holdfast.etcd.session.SharedLease;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.support.VerbRounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sends a round of steps as one transaction: one entry in the cluster's log.
 *
 * <p>The steps of a round work on different resources: the comparisons of all parts of a
 * transaction see the store as it was before it, so that two tickets joining one line would both
 * find it empty.
 */
final class TxnTrip implements VerbRounds.Trip<TxnStep, TxnReply> {

  private static final int TRIES = 3;

  private final LeaseRegistry leases;
  private final Layout layout;
  private final EtcdConnection connection;

  TxnTrip(LeaseRegistry leases, Layout layout, EtcdConnection connection) {
    this.leases = leases;
    this.layout = layout;
    this.connection = connection;
  }

  /** A reply, and the keep-alive of each lease that was current when the request was sent. */
  private record Sent(TxnResponse reply, Map<SharedLease, SharedLease.KeepAlive> kept) {}

  @Override
  public void run(List<TxnStep> round, VerbRounds.Replies<TxnStep, TxnReply> replies)
      throws EngineException {
    Sent sent = send(round);
    TxnResponse reply = sent.reply();
    Map<SharedLease, EngineException> unconfirmed = confirmLeases(sent);
    long revision = reply.getHeader().getRevision();
    for (int i = 0; i < round.size(); i++) {
      TxnStep step = round.get(i);
      TxnResponse own = round.size() == 1 ? reply : reply.getResponses(i).getResponseTxn();
      EngineException why = step.lease() == null ? null : unconfirmed.get(step.lease());
      if (why == null) {
        replies.pass(step, new TxnReply(own, revision, connection));
      } else {
        replies.fail(step, why);
      }
    }
  }

  private Sent send(List<TxnStep> round) throws EngineException {
    for (int i = 1; ; i++) {
      Map<SharedLease, SharedLease.KeepAlive> kept = keepLeases(round);
      TxnRequest request = request(round);
      try {
        return new Sent(connection.txn(request), kept);
      } catch (LeaseNotFoundException e) {
        leases.doubt();
        if (i > 1) {
          dropEnded(kept);
        }
        if (i == TRIES) {
          throw new EngineException.NotDone("leases end faster than they can be used", e);
        }
      }
    }
  }

  /**
   * Drops leases that have ended although their keep-alives succeeded: some versions of etcd do
   * that. If the server reports none as ended, all are dropped, and their tickets move.
   */
  private void dropEnded(Map<SharedLease, SharedLease.KeepAlive> kept) throws EngineException {
    boolean found = false;
    for (Map.Entry<SharedLease, SharedLease.KeepAlive> each : kept.entrySet()) {
      long id = each.getValue().lease();
      if (connection.timeToLive(id).getTTL() <= 0) {
        each.getKey().lost(id);
        found = true;
      }
    }
    if (!found) {
      kept.forEach((lease, last) -> lease.lost(last.lease()));
    }
  }

  private Map<SharedLease, SharedLease.KeepAlive> keepLeases(List<TxnStep> round)
      throws EngineException {
    Map<SharedLease, SharedLease.KeepAlive> kept = new LinkedHashMap<>();
    for (TxnStep step : round) {
      SharedLease lease = step.lease();
      if (lease != null && !kept.containsKey(lease)) {
        kept.put(lease, lease.keep(connection));
      }
    }
    return kept;
  }

  private TxnRequest request(List<TxnStep> round) throws EngineException {
    if (round.size() == 1) {
      return round.get(0).ask(connection, /* alone= */ true);
    }
    List<RequestOp> steps = new ArrayList<>();
    for (TxnStep step : round) {
      steps.add(Ops.nested(step.ask(connection, /* alone= */ false)));
    }
    return withRightsCheck(Ops.txn(List.of(), steps, List.of()));
  }

  /**
   * Adds operations on a key that does not exist: etcd checks the user's rights on their keys, but
   * not on those in nested transactions. The deletion is in the branch that is never taken; without
   * it, a batch of reads stays a read.
   */
  private TxnRequest withRightsCheck(TxnRequest steps) {
    TxnRequest.Builder checked = steps.toBuilder().addSuccess(Ops.get(layout.unused()));
    if (!EtcdConnection.isReadOnly(steps)) {
      checked.addFailure(Ops.delete(layout.unused()));
    }
    return checked.build();
  }

  /**
   * Returns the leases that could not be confirmed. The transaction was executed by then, so the
   * outcome of their steps is unknown, whatever the reason.
   */
  private Map<SharedLease, EngineException> confirmLeases(Sent sent) {
    Map<SharedLease, EngineException> unconfirmed = new HashMap<>();
    long term = sent.reply().getHeader().getRaftTerm();
    sent.kept()
        .forEach(
            (lease, kept) -> {
              try {
                lease.confirm(connection, term, kept);
              } catch (EngineException e) {
                unconfirmed.put(
                    lease,
                    new EngineException.Unknown(
                        "the request was executed, but its lease could not be confirmed: "
                            + e.getMessage(),
                        e));
              }
            });
    return unconfirmed;
  }
}
