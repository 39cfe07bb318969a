package io.holdfast.etcd.verbs;

import io.holdfast.etcd.layout.Layout;
import io.holdfast.etcd.session.LeaseRegistry;
import io.holdfast.etcd.session.MarkTable;
import io.holdfast.etcd.session.TicketTable;
import io.holdfast.etcd.signals.HoldWatcher;
import io.holdfast.etcd.signals.WatchRegistry;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Ticket;
import java.util.function.LongSupplier;

/**
 * What all lanes of one engine share.
 *
 * @param leases that the tickets of this engine are attached to
 * @param tickets of this engine, as far as it knows them
 * @param marks that this engine has made or seen
 * @param watches of waiters
 * @param holds the watches of holders
 */
public record VerbContext(
    LeaseRegistry leases,
    TicketTable tickets,
    MarkTable marks,
    WatchRegistry watches,
    HoldWatcher holds,
    Refusals refusals,
    Layout layout,
    LongSupplier nanoTime,
    LongSupplier epochMicros) {

  /** Ends all watches of a ticket, whether it waited or was in. */
  void stopWatching(Ticket.Id id) {
    watches.disarm(id);
    holds.forget(id);
  }
}
