package io.holdfast.redis;

import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * The tickets that hold something, and where to report that their records have changed. Any thread
 * may use it.
 */
final class HeldTickets {

  private static final int SMALL = 1_024;

  private record Held(Resource resource, long until) {}

  private final LongSupplier nanoTime;
  private final ConcurrentHashMap<Ticket.Id, Held> tickets = new ConcurrentHashMap<>();
  private final AtomicInteger sweepAt = new AtomicInteger(SMALL);
  private volatile HoldSignal signal = resource -> {};

  HeldTickets(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  void reportTo(HoldSignal where) {
    signal = where;
  }

  /** The ticket was granted or renewed. */
  void add(Ticket ticket) {
    long until = nanoTime.getAsLong() + ticket.lease().toNanos();
    tickets.put(ticket.id(), new Held(ticket.resource(), until));
    if (tickets.size() > sweepAt.get()) {
      sweep();
    }
  }

  /** The ticket has left, or the store says that it holds nothing. */
  void remove(Ticket ticket) {
    tickets.remove(ticket.id());
  }

  /** Removes tickets whose lease ended without a word; often enough to keep the rest a half. */
  private void sweep() {
    long now = nanoTime.getAsLong();
    tickets.values().removeIf(held -> now - held.until > 0);
    sweepAt.set(Math.max(SMALL, 2 * tickets.size()));
  }

  /** Somebody has changed the records of a resource, or may have. */
  void changed(Resource resource) {
    signal.changed(resource);
  }

  /**
   * A few records may have changed unnoticed. Everything held is looked at, unless that is so much
   * that it would hold up releases: then the next renewals will do.
   */
  void someMayHaveChanged() {
    if (tickets.size() <= SMALL) {
      allChanged();
    }
  }

  /** The records of every held resource may have changed. */
  void allChanged() {
    Set<Resource> resources = new HashSet<>();
    tickets.values().forEach(held -> resources.add(held.resource));
    resources.forEach(signal::changed);
  }
}
