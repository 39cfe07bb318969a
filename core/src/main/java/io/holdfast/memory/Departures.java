package io.holdfast.memory;

import io.holdfast.spi.Ticket;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tickets that are out for good, remembered for one lease each: those that left while an attempt of
 * theirs may still arrive, and those that an operator took out and that do not know it yet.
 */
final class Departures {

  /**
   * One of them.
   *
   * @param evicted the operator's words; null: it left by itself
   */
  record Departure(long end, @Nullable String evicted) {}

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
    return departure == null || departure.end - now <= 0 ? null : departure;
  }

  void left(Ticket ticket, long now) {
    remember(ticket, new Departure(now + Nanos.of(ticket.lease()), null));
  }

  void evicted(Ticket ticket, String reason, long now) {
    remember(ticket, new Departure(now + Nanos.of(ticket.lease()), reason));
  }

  int size() {
    return known.size();
  }

  private void remember(Ticket ticket, Departure departure) {
    Ticket.Id id = ticket.id();
    known.put(id, departure);
    reminders.add(departure.end, () -> known.remove(id, departure));
  }
}
