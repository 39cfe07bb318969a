package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeResponse;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A leave: the ticket's key goes, and a tombstone comes if an attempt may still be on its way. */
final class Leaving implements Errand {

  private final Shared shared;
  private final Verb.Leave verb;
  private final Ticket ticket;
  private final Keys keys;
  private ByteString key;
  private Look look;

  /** Another engine may have joined it: it is looked for first. */
  private boolean foreign;

  /** Up to this revision no other engine has joined it; 0 if that does not matter. */
  private long clear;

  /** What this client knows: the ticket is in, since it joined at that revision. */
  private final Places.@Nullable Place known;

  /** It is not so: the long way. */
  private boolean missed;

  Leaving(Shared shared, Verb.Leave verb) {
    this.shared = shared;
    this.verb = verb;
    this.ticket = verb.ticket();
    this.keys = shared.layout().of(ticket.resource(), ticket.shape());
    this.foreign = !shared.places().has(ticket.id());
    shared.places().begin(ticket.id());
    this.key = shared.places().key(ticket, keys);
    this.look = new Look(keys, ticket.shape(), key);
    // What happens to its key from here on is its own doing.
    shared.looks().forget(ticket.id());
    Places.Place place = shared.places().find(ticket.id());
    this.known = place != null && place.in() && place.key().equals(key) ? place : null;
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
    if (foreign) {
      return Ops.txn(List.of(), List.of(Ops.oldest(keys.tickets(ticket.id()), 0)), List.of());
    }
    List<RequestOp> rest = new ArrayList<>();
    if (verb.inDoubt()) {
      long lease = shared.sessions().grave(wire, ticket.lease());
      rest.add(Ops.put(shared.layout().left(ticket.id()), Tombstone.LEFT, lease));
    }
    if (ticket.shape().kind() == Shape.Kind.SEMAPHORE) {
      rest.add(Ops.nested(sweepHeadWith(keys, key)));
    }
    if (known != null && !missed) {
      // Who was let in is in for as long as its key is there: no need to look who else is.
      rest.add(0, Ops.drop(key));
      return Ops.txn(List.of(Ops.createdAt(key, known.revision())), rest, List.of());
    }
    List<RequestOp> ops = new ArrayList<>(look.ops(0));
    ops.add(Ops.delete(key));
    ops.addAll(rest);
    // A late attempt of another engine must not join between the look and the tombstone.
    List<Compare> when =
        clear == 0 ? List.of() : List.of(Ops.noneMadeAfter(keys.tickets(ticket.id()), clear));
    return Ops.txn(when, ops, List.of());
  }

  /** The last to leave takes the head along. Seen from before the ticket has left. */
  static TxnRequest sweepHeadWith(Keys keys, ByteString last) {
    return Ops.txn(
        List.of(Ops.empty(keys.lineBefore(last)), Ops.empty(keys.lineBehind(last))),
        List.of(Ops.delete(keys.head())),
        List.of());
  }

  /** Takes away the head of a line where nobody is. */
  static TxnRequest sweepHead(Keys keys) {
    return Ops.txn(List.of(Ops.empty(keys.line())), List.of(Ops.delete(keys.head())), List.of());
  }

  @Override
  public boolean hear(TxnResponse answer, long revision, Wire wire) {
    if (foreign) {
      foreign = false;
      find(answer.getResponses(0).getResponseRange(), revision);
      return false;
    }
    boolean brief = known != null && !missed;
    if (!brief && !answer.getSucceeded()) {
      foreign = true;
      return false;
    }
    if (brief && !answer.getSucceeded()) {
      missed = true;
      return false;
    }
    shared.places().gone(ticket.id());
    shared.disarm(ticket.id());
    if (brief) {
      verb.complete(Left.HOLDING);
      return true;
    }
    List<ResponseOp> parts = answer.getResponsesList();
    DeleteRangeResponse deleted = parts.get(Look.PARTS).getResponseDeleteRange();
    if (deleted.getDeleted() == 0) {
      verb.complete(Left.NOTHING);
      return true;
    }
    Seats seats = look.seats(parts);
    int index = seats.indexOf(key);
    boolean in =
        ticket.shape().kind() == Shape.Kind.SEMAPHORE
            ? Seat.read(deleted.getPrevKvs(0)).granted()
            : index >= 0 && seats.isIn(index);
    verb.complete(in ? Left.HOLDING : Left.WAITING);
    return true;
  }

  private void find(RangeResponse tickets, long revision) {
    clear = revision;
    for (KeyValue found : tickets.getKvsList()) {
      if (Seat.read(found).ticket().equals(ticket.id().encoded())) {
        key = found.getKey();
        look = new Look(keys, ticket.shape(), key);
        shared.places().adopt(ticket, keys, key);
        clear = 0;
      }
    }
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
