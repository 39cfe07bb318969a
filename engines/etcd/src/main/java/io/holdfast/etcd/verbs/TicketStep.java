package io.holdfast.etcd.verbs;

import com.google.protobuf.ByteString;
import io.holdfast.etcd.layout.Keys;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;

/**
 * A verb that works on the key of its ticket: from its creation to {@link #end} the key stays the
 * ticket's own.
 */
abstract class TicketStep<V extends Verb> implements TxnStep {

  final VerbContext context;
  final V verb;
  final Ticket ticket;
  final Keys keys;

  /** Whether this engine has no key of the ticket, so that another engine may have joined it. */
  boolean foreign;

  ByteString key;

  TicketStep(VerbContext context, V verb, Ticket ticket) {
    this.context = context;
    this.verb = verb;
    this.ticket = ticket;
    this.keys = context.layout().of(ticket.resource(), ticket.shape());
    this.foreign = !context.tickets().hasKey(ticket.id());
    this.key = context.tickets().begin(ticket, keys);
  }

  @Override
  public Resource resource() {
    return ticket.resource();
  }

  @Override
  public void fail(EngineException failure) {
    context.tickets().failed(ticket.id(), failure);
    verb.fail(failure);
  }

  @Override
  public void end() {
    context.tickets().end(ticket.id());
  }
}
