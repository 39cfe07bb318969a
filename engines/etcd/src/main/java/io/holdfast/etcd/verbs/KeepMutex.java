package io.holdfast.etcd.verbs;

import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.etcd.layout.Keys;
import io.holdfast.etcd.layout.Ops;
import io.holdfast.etcd.layout.TicketRecord;
import io.holdfast.etcd.session.TicketTable;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Leaves a granted mutex in its line without its client.
 *
 * <p>The key of the ticket is attached to a lease of its own, which nobody keeps. The key exists
 * all the time, so the place and the token stay, no watch reports a departure, and nobody gets in
 * before that lease has ended. From then on its value names another ticket, and no ticket of this
 * client takes the key again.
 */
final class KeepMutex implements TxnStep {

  private final VerbContext context;
  private final Verb.Settle verb;
  private final Ticket ticket;
  private final Keys keys;

  /** The ticket as this client knows it, or as it was read; null if it is to be read. */
  private @Nullable TicketRecord seen;

  /** When the ticket was written that was tried last; 0 before, or if it was not read. */
  private long tried;

  private boolean read;

  KeepMutex(VerbContext context, Verb.Settle verb) {
    this.context = context;
    this.verb = verb;
    this.ticket = verb.ticket();
    this.keys = context.layout().of(ticket.resource(), ticket.shape());
    context.tickets().begin(ticket.id());
    // From here on, changes of its key are its own doing.
    context.holds().forget(ticket.id());
    TicketTable.Entry known = context.tickets().find(ticket.id());
    this.seen = known != null && known.in() ? asKnown(known) : null;
  }

  /** What is shown as the time of its join is now. */
  private TicketRecord asKnown(TicketTable.Entry known) {
    long now = context.epochMicros().getAsLong() / 1000;
    TicketRecord record = TicketRecord.of(ticket, 0, known.key(), known.lease(), now);
    return record.writtenAt(known.revision());
  }

  @Override
  public Resource resource() {
    return ticket.resource();
  }

  @Override
  public TxnRequest ask(EtcdConnection connection, boolean alone) throws EngineException {
    TicketRecord own = seen;
    if (own == null) {
      // Another engine may have joined it, or an earlier request had no reply: it is searched for.
      return Ops.txn(List.of(), List.of(Ops.oldest(keys.tickets(ticket.id()), 0)), List.of());
    }
    RequestOp then;
    if (verb.keep().isZero() || verb.keep().isNegative()) {
      then = Ops.delete(own.key());
    } else {
      long seconds = Math.max(1, verb.keep().plusNanos(999_999_999).toSeconds());
      long lease = connection.grant(seconds).getID();
      TicketRecord kept = own.kept(ticket.id().kept(), verb.keep(), lease);
      then = Ops.put(own.key(), kept.value(), lease);
    }
    // It exists, and no ticket is ahead of it: it is in. A request that arrives late finds it under
    // the lease that it was left to, and does not change what is kept.
    return Ops.txn(
        List.of(
            Ops.createdAt(own.key(), own.revision()),
            Ops.underLease(own.key(), own.lease()),
            Ops.allCreatedAfter(keys.line(), own.revision() - 1)),
        List.of(then),
        List.of());
  }

  @Override
  public boolean hear(TxnReply reply) {
    TicketRecord own = seen;
    if (own == null) {
      return found(reply.parts().get(0).getResponseRange().getKvsList());
    }
    if (!reply.succeeded()) {
      // It is not as it is known, or it is not in.
      tried = read ? own.written() : 0;
      seen = null;
      return AGAIN;
    }
    // A new leader starts the lease from its full time: this client removes it when it is over.
    context.marks().made(ticket.resource(), own.key(), reply.revision(), verb.keep());
    return complete(true);
  }

  /** Looks for the ticket among those of its client. */
  private boolean found(List<KeyValue> tickets) {
    read = true;
    for (KeyValue found : tickets) {
      TicketRecord record = TicketRecord.read(found);
      if (record.isOf(ticket.id().kept())) {
        return complete(true);
      }
      if (record.isOf(ticket.id()) && record.written() != tried) {
        seen = record;
        return AGAIN;
      }
    }
    return complete(false);
  }

  private boolean complete(boolean kept) {
    if (kept) {
      context.tickets().leftToStore(ticket.id());
      context.stopWatching(ticket.id());
    }
    verb.complete(kept);
    return DONE;
  }

  /** Without a reply the ticket may be kept: then it is not this client's to remove. */
  @Override
  public void fail(EngineException failure) {
    if (failure instanceof EngineException.Unknown) {
      context.tickets().mayBeLeftToStore(ticket.id());
    }
    verb.fail(failure);
  }

  @Override
  public void end() {
    context.tickets().end(ticket.id());
  }
}
