package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A resize: another number at the head of a line that is there. Who is in has it in writing. */
final class Resizing implements Errand {

  private final Shared shared;
  private final Verb.Resize verb;
  private final Ticket ticket;
  private final Keys keys;
  private @Nullable TxnRequest mend;

  Resizing(Shared shared, Verb.Resize verb) {
    this.shared = shared;
    this.verb = verb;
    this.ticket = verb.ticket();
    this.keys = shared.layout().of(ticket.resource(), ticket.shape());
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
  public TxnRequest ask(Wire wire, boolean alone) {
    if (mend != null) {
      return mend;
    }
    return Ops.txn(
        List.of(StoreRecord.asSaidBy(shared.layout(), ticket), Ops.allMadeAfter(keys.line(), 0)),
        List.of(Ops.nested(write())),
        List.of(
            StoreRecord.read(shared.layout(), ticket),
            Ops.oldest(shared.layout().everything(ticket.resource()), 2)));
  }

  /** It stays on the lease that those in line keep. */
  private TxnRequest write() {
    ByteString size = Head.capacity(ticket.shape().capacity());
    return Ops.txn(
        List.of(Ops.absent(keys.head())),
        List.of(Ops.put(keys.head(), size, 0)),
        List.of(Ops.change(keys.head(), size)));
  }

  @Override
  public boolean hear(TxnResponse answer, long revision, Wire wire) throws EngineException {
    if (mend != null) {
      mend = null;
      return false;
    }
    if (answer.getSucceeded()) {
      verb.complete(true);
      return true;
    }
    RangeResponse store = answer.getResponses(0).getResponseRange();
    if (!StoreRecord.isAsSaid(store, ticket, shared.refusals())) {
      mend = StoreRecord.write(shared.layout(), store, ticket);
      return false;
    }
    for (KeyValue found : answer.getResponses(1).getResponseRange().getKvsList()) {
      if (Keys.kind(found.getKey()) != 's') {
        throw shared.refusals().shape(ticket, Keys.shape(Keys.kind(found.getKey()), 1));
      }
    }
    verb.complete(false);
    return true;
  }

  /** Whether a shape can be resized to. */
  static boolean isSize(Shape shape) {
    return shape.kind() == Shape.Kind.SEMAPHORE && shape.capacity() != Shape.ADOPT;
  }

  @Override
  public void fail(EngineException failure) {
    verb.fail(failure);
  }
}
