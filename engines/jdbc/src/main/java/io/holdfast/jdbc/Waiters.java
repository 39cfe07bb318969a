package io.holdfast.jdbc;

import io.holdfast.jdbc.table.Signal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Who of this client waits, by resource. Arm, then look: a waiter is here before its attempt is
 * sent. Safe for several threads.
 */
final class Waiters {

  private static final class Waiter {
    volatile Wake wake;

    /** When the store forgets the ticket unless it is asked again. */
    volatile long until;

    /** In its line; 0 until it is known. */
    volatile long place;

    Waiter(Wake wake) {
      this.wake = wake;
    }
  }

  private static final long SWEEP_NANOS = 1_000_000_000L;

  private final LongSupplier nanoTime;
  private final ConcurrentHashMap<Resource, Map<Ticket.Id, Waiter>> byResource =
      new ConcurrentHashMap<>();
  private final AtomicLong sweptAt;

  Waiters(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.sweptAt = new AtomicLong(nanoTime.getAsLong());
  }

  /** The ticket may have to wait: from now on it hears. */
  void add(Ticket ticket, Wake wake) {
    long now = nanoTime.getAsLong();
    sweep(now);
    byResource.compute(
        ticket.resource(),
        (resource, known) -> {
          Map<Ticket.Id, Waiter> all = known == null ? new ConcurrentHashMap<>() : known;
          Waiter waiter = all.computeIfAbsent(ticket.id(), id -> new Waiter(wake));
          waiter.wake = wake;
          waiter.until = now + ticket.lease().toNanos();
          return all;
        });
  }

  /** It does wait, at this place of its line. */
  void stays(Ticket ticket, long place) {
    Map<Ticket.Id, Waiter> all = byResource.get(ticket.resource());
    Waiter waiter = all == null ? null : all.get(ticket.id());
    if (waiter != null) {
      waiter.place = place;
    }
  }

  /** It does not wait any more. */
  void remove(Ticket ticket) {
    remove(ticket.resource(), ticket.id());
  }

  private void remove(Resource resource, Ticket.Id id) {
    byResource.computeIfPresent(
        resource,
        (key, all) -> {
          all.remove(id);
          return all.isEmpty() ? null : all;
        });
  }

  /** Takes out what nobody asked about for a lease: the store has forgotten it as well. */
  private void sweep(long now) {
    long last = sweptAt.get();
    if (now - last < SWEEP_NANOS || !sweptAt.compareAndSet(last, now)) {
      return;
    }
    byResource.forEach(
        (resource, all) ->
            all.forEach(
                (id, waiter) -> {
                  if (now - waiter.until > 0) {
                    remove(resource, id);
                  }
                }));
  }

  boolean isEmpty() {
    return byResource.isEmpty();
  }

  /** What is waited for. */
  List<Resource> resources() {
    return List.copyOf(byResource.keySet());
  }

  int size() {
    return byResource.values().stream().mapToInt(Map::size).sum();
  }

  /** Wakes those that a signal is for. */
  void hear(Signal signal) {
    Map<Ticket.Id, Waiter> all = byResource.get(signal.resource());
    if (all == null) {
      return;
    }
    List<Long> places = signal.places();
    for (Waiter waiter : all.values()) {
      // One whose place is not known yet may be meant.
      if (places.isEmpty() || waiter.place == 0 || places.contains(waiter.place)) {
        waiter.wake.wake();
      }
    }
  }

  /** Wakes everybody: signals may have been missed. */
  void wakeAll() {
    List<Waiter> everybody = new ArrayList<>();
    byResource.values().forEach(all -> everybody.addAll(all.values()));
    everybody.forEach(waiter -> waiter.wake.wake());
  }
}
