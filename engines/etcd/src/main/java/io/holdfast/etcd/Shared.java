package io.holdfast.etcd;

import io.holdfast.etcd.wire.Watches;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Ticket;
import java.util.function.LongSupplier;

/** What the lanes of one client share. */
record Shared(
    Sessions sessions,
    Places places,
    Marks marks,
    Watches watches,
    Looks looks,
    Refusals refusals,
    Layout layout,
    LongSupplier nanoTime,
    LongSupplier epochMicros) {

  /** The ticket is not where it was: it watches nothing any more, whether it waited or was in. */
  void disarm(Ticket.Id id) {
    watches.disarm(id);
    looks.forget(id);
  }
}
