package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A settle: the line goes, and a mark comes that hangs on a lease of its own, which nobody keeps.
 * It ends when it was asked to end, whether its maker lives or not.
 */
final class Settling implements Errand {

  private final Shared shared;
  private final Verb.Settle verb;
  private final Ticket ticket;
  private final Keys keys;
  private final ByteString key;
  private long revision;
  private long lease;

  Settling(Shared shared, Verb.Settle verb) {
    this.shared = shared;
    this.verb = verb;
    this.ticket = verb.ticket();
    this.keys = shared.layout().of(ticket.resource(), ticket.shape());
    shared.places().begin(ticket.id());
    this.key = shared.places().key(ticket, keys);
    shared.looks().forget(ticket.id());
    Places.Place known = shared.places().find(ticket.id());
    this.revision = known == null ? 0 : known.revision();
  }

  @Override
  public Resource resource() {
    return ticket.resource();
  }

  @Override
  public @Nullable Session session() {
    return null;
  }

  @Override
  public TxnRequest ask(Wire wire, boolean alone) throws EngineException {
    List<RequestOp> reads = List.of(Ops.get(key), Ops.get(keys.head()));
    if (revision == 0) {
      return Ops.txn(List.of(Ops.createdAt(key, -1)), List.of(), reads);
    }
    List<RequestOp> then = new ArrayList<>(List.of(Ops.deleteAll(keys.line())));
    if (!verb.keep().isZero() && !verb.keep().isNegative()) {
      if (lease == 0) {
        lease = wire.grant(Math.max(1, verb.keep().plusNanos(999_999_999).toSeconds())).getID();
      }
      then.add(Ops.put(keys.head(), Head.mark(ticket.id(), verb.keep()), lease));
    }
    // It is there, and nobody came before: it is in.
    return Ops.txn(
        List.of(Ops.createdAt(key, revision), Ops.allMadeAfter(keys.line(), revision - 1)),
        then,
        reads);
  }

  @Override
  public boolean hear(TxnResponse answer, long now, Wire wire) {
    if (answer.getSucceeded()) {
      shared.places().gone(ticket.id());
      shared.disarm(ticket.id());
      if (lease != 0) {
        shared.marks().made(ticket.resource(), keys.head(), now, verb.keep());
      }
      verb.complete(true);
      return true;
    }
    List<ResponseOp> read = answer.getResponsesList();
    for (KeyValue own : read.get(0).getResponseRange().getKvsList()) {
      if (revision != own.getCreateRevision()) {
        revision = own.getCreateRevision();
        return false;
      }
    }
    verb.complete(
        read.get(1).getResponseRange().getKvsList().stream()
            .anyMatch(head -> Head.isMarkOf(head, ticket.id())));
    return true;
  }

  @Override
  public void fail(EngineException failure) {
    shared.places().failed(ticket.id(), failure);
    verb.fail(failure);
  }

  @Override
  public void over() {
    shared.places().end(ticket.id());
  }
}
