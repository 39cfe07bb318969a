package io.holdfast.etcd.verbs;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.etcd.layout.HeadRecord;
import io.holdfast.etcd.layout.Keys;
import io.holdfast.etcd.layout.Ops;
import io.holdfast.etcd.layout.StoreRecord;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes another capacity for an existing line. Granted permits stay, as they are recorded. */
final class Resize implements TxnStep {

  private final VerbContext context;
  private final Verb.Resize verb;
  private final Ticket ticket;
  private final Keys keys;

  /** What must be written before the capacity. */
  private @Nullable TxnRequest writeFirst;

  Resize(VerbContext context, Verb.Resize verb) {
    this.context = context;
    this.verb = verb;
    this.ticket = verb.ticket();
    this.keys = context.layout().of(ticket.resource(), ticket.shape());
  }

  @Override
  public Resource resource() {
    return ticket.resource();
  }

  @Override
  public TxnRequest ask(EtcdConnection connection, boolean alone) {
    if (writeFirst != null) {
      return writeFirst;
    }
    return Ops.txn(
        List.of(StoreRecord.matches(context.layout(), ticket), Ops.allCreatedAfter(keys.line(), 0)),
        List.of(Ops.nested(write())),
        List.of(
            StoreRecord.read(context.layout(), ticket),
            Ops.oldest(context.layout().everything(ticket.resource()), 2)));
  }

  /** It stays attached to the lease that the tickets in line keep. */
  private TxnRequest write() {
    ByteString size = HeadRecord.capacity(ticket.shape().capacity());
    return Ops.txn(
        List.of(Ops.absent(keys.head())),
        List.of(Ops.put(keys.head(), size, 0)),
        List.of(Ops.change(keys.head(), size)));
  }

  @Override
  public boolean hear(TxnReply reply) throws EngineException {
    if (writeFirst != null) {
      writeFirst = null;
      return AGAIN;
    }
    if (reply.succeeded()) {
      verb.complete(true);
      return DONE;
    }
    RangeResponse store = reply.parts().get(0).getResponseRange();
    if (!StoreRecord.requireCompatible(store, ticket, context.refusals())) {
      writeFirst = StoreRecord.write(context.layout(), store, ticket);
      return AGAIN;
    }
    for (KeyValue found : reply.parts().get(1).getResponseRange().getKvsList()) {
      if (Keys.kind(found.getKey()) != 's') {
        throw context.refusals().shape(ticket, Keys.shape(Keys.kind(found.getKey()), 1));
      }
    }
    verb.complete(false);
    return DONE;
  }

  @Override
  public void fail(EngineException failure) {
    verb.fail(failure);
  }
}
