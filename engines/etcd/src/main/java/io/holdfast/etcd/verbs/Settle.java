package io.holdfast.etcd.verbs;

import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.etcd.layout.HeadRecord;
import io.holdfast.etcd.layout.Ops;
import io.holdfast.etcd.layout.TicketRecord;
import io.holdfast.etcd.session.TicketTable;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.List;

/**
 * Replaces the line by a mark that outlives its maker.
 *
 * <p>The mark is attached to a lease of its own, which is never kept: it ends when it was to end,
 * whether its maker is alive or not.
 */
final class Settle extends TicketStep<Verb.Settle> {

  private long revision;
  private long lease;

  Settle(VerbContext context, Verb.Settle verb) {
    super(context, verb, verb.ticket());
    context.holds().forget(ticket.id());
    TicketTable.Entry known = context.tickets().find(ticket.id());
    this.revision = known == null ? 0 : known.revision();
  }

  @Override
  public TxnRequest ask(EtcdConnection connection, boolean alone) throws EngineException {
    if (foreign) {
      return Ops.txn(List.of(), List.of(Ops.oldest(keys.tickets(ticket.id()), 0)), List.of());
    }
    List<RequestOp> reads = List.of(Ops.get(key), Ops.get(keys.head()));
    if (revision == 0) {
      return Ops.txn(List.of(Ops.createdAt(key, -1)), List.of(), reads);
    }
    List<RequestOp> then = new ArrayList<>(List.of(Ops.deleteAll(keys.line())));
    if (!verb.keep().isZero() && !verb.keep().isNegative()) {
      if (lease == 0) {
        lease =
            connection.grant(Math.max(1, verb.keep().plusNanos(999_999_999).toSeconds())).getID();
      }
      then.add(Ops.put(keys.head(), HeadRecord.mark(ticket.id(), verb.keep()), lease));
    }
    // It exists, and no ticket is ahead of it: it is in.
    return Ops.txn(
        List.of(Ops.createdAt(key, revision), Ops.allCreatedAfter(keys.line(), revision - 1)),
        then,
        reads);
  }

  @Override
  public boolean hear(TxnReply reply) {
    if (foreign) {
      foreign = false;
      search(reply.parts().get(0).getResponseRange().getKvsList());
      return AGAIN;
    }
    if (reply.succeeded()) {
      context.tickets().gone(ticket.id());
      context.stopWatching(ticket.id());
      if (lease != 0) {
        context.marks().made(ticket.resource(), keys.head(), reply.revision(), verb.keep());
      }
      verb.complete(true);
      return DONE;
    }
    List<ResponseOp> read = reply.parts();
    for (KeyValue own : read.get(0).getResponseRange().getKvsList()) {
      if (revision != own.getCreateRevision()) {
        revision = own.getCreateRevision();
        return AGAIN;
      }
    }
    verb.complete(
        read.get(1).getResponseRange().getKvsList().stream()
            .anyMatch(head -> HeadRecord.isMarkOf(head, ticket.id())));
    return DONE;
  }

  /** Another engine may have joined it, under a key that it made. */
  private void search(List<KeyValue> tickets) {
    for (KeyValue found : tickets) {
      if (TicketRecord.read(found).isOf(ticket.id())) {
        key = found.getKey();
        context.tickets().adopt(ticket, keys, key);
      }
    }
  }
}
