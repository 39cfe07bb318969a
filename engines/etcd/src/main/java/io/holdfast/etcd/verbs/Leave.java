package io.holdfast.etcd.verbs;

import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeResponse;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.etcd.layout.HeadRecord;
import io.holdfast.etcd.layout.LineSnapshot;
import io.holdfast.etcd.layout.Ops;
import io.holdfast.etcd.layout.TicketRecord;
import io.holdfast.etcd.layout.Tombstone;
import io.holdfast.etcd.session.TicketTable;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Deletes the ticket's key, and writes a tombstone if an attempt may still be under way. */
final class Leave extends TicketStep<Verb.Leave> {

  /** Up to this revision no other engine has joined it; 0 if that does not matter. */
  private long checkedUpTo;

  /** What this client knows: the ticket is in, since it joined at that revision. Else null. */
  private TicketTable.@Nullable Entry known;

  Leave(VerbContext context, Verb.Leave verb) {
    super(context, verb, verb.ticket());
    // From here on, changes of its key are its own doing.
    context.holds().forget(ticket.id());
    TicketTable.Entry entry = context.tickets().find(ticket.id());
    this.known = entry != null && entry.in() && entry.key().equals(key) ? entry : null;
  }

  @Override
  public TxnRequest ask(EtcdConnection connection, boolean alone) throws EngineException {
    if (foreign) {
      return Ops.txn(List.of(), List.of(Ops.oldest(keys.tickets(ticket.id()), 0)), List.of());
    }
    List<RequestOp> rest = new ArrayList<>();
    if (verb.inDoubt()) {
      long lease = context.leases().tombstoneLease(connection, ticket.lease());
      rest.add(Ops.put(context.layout().left(ticket.id()), Tombstone.LEFT, lease));
    }
    if (ticket.shape().kind() == Shape.Kind.SEMAPHORE) {
      rest.add(Ops.nested(HeadRecord.removeWithLast(keys, key)));
    }
    if (known != null) {
      // A granted ticket is in for as long as its key exists: no need to read the line.
      rest.add(0, Ops.delete(key));
      return Ops.txn(List.of(Ops.createdAt(key, known.revision())), rest, List.of());
    }
    List<RequestOp> ops = new ArrayList<>(LineSnapshot.query(keys, ticket.shape(), 0));
    ops.add(Ops.deleteReturning(key));
    ops.addAll(rest);
    // A late attempt of another engine must not join between the search and the tombstone.
    List<Compare> when =
        checkedUpTo == 0
            ? List.of()
            : List.of(Ops.noneCreatedAfter(keys.tickets(ticket.id()), checkedUpTo));
    return Ops.txn(when, ops, List.of());
  }

  @Override
  public boolean hear(TxnReply reply) {
    if (foreign) {
      foreign = false;
      search(reply.parts().get(0).getResponseRange(), reply.revision());
      return AGAIN;
    }
    boolean wasKnown = known != null;
    if (!reply.succeeded()) {
      // It is not as it was known, or another engine may have joined it since the search.
      foreign = !wasKnown;
      known = null;
      return AGAIN;
    }
    context.tickets().gone(ticket.id());
    context.stopWatching(ticket.id());
    verb.complete(wasKnown ? Left.HOLDING : left(reply.parts()));
    return DONE;
  }

  private Left left(List<ResponseOp> parts) {
    DeleteRangeResponse deleted = parts.get(LineSnapshot.QUERY_SIZE).getResponseDeleteRange();
    if (deleted.getDeleted() == 0) {
      return Left.NOTHING;
    }
    LineSnapshot line =
        LineSnapshot.read(ticket.shape(), parts.subList(0, LineSnapshot.QUERY_SIZE));
    int index = line.indexOf(key);
    boolean in =
        ticket.shape().kind() == Shape.Kind.SEMAPHORE
            ? TicketRecord.read(deleted.getPrevKvs(0)).granted()
            : index >= 0 && line.isIn(index);
    return in ? Left.HOLDING : Left.WAITING;
  }

  private void search(RangeResponse tickets, long revision) {
    checkedUpTo = revision;
    for (KeyValue found : tickets.getKvsList()) {
      if (TicketRecord.read(found).isOf(ticket.id())) {
        key = found.getKey();
        context.tickets().adopt(ticket, keys, key);
        checkedUpTo = 0;
      }
    }
  }
}
