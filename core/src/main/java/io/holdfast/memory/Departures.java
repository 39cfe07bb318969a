package io.holdfast.memory;

import io.holdfast.spi.Ticket;
import io.holdfast.spi.support.LineStore.Departure;
import io.holdfast.spi.support.Nanos;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The departed tickets, each remembered for one lease.
 *
 * <p>A departed ticket has left while one of its attempts may still arrive, or was evicted and its
 * holder has not noticed yet.
 */
final class Departures {

  private final ConcurrentHashMap<Ticket.Id, Departure> known = new ConcurrentHashMap<>();
  private final Reminders reminders;

  Departures(Reminders reminders) {
    this.reminders = reminders;
  }

  @Nullable Departure find(Ticket.Id id, long now) {
    if (known.isEmpty()) {
      return null;
    }
    Departure departure = known.get(id);
    return departure == null || departure.end() - now <= 0 ? null : departure;
  }

  void left(Ticket ticket, long now) {
    remember(ticket.id(), new Departure(now + Nanos.of(ticket.lease()), null));
  }

  void evicted(Ticket.Id id, long lease, String reason, long now) {
    remember(id, new Departure(now + lease, reason));
  }

  int size() {
    return known.size();
  }

  private void remember(Ticket.Id id, Departure departure) {
    known.put(id, departure);
    reminders.add(departure.end(), () -> known.remove(id, departure));
  }
}
