package io.holdfast.memory;

import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Those that are in and those that wait, and for whom there is room: the rules of the two orders.
 * Guarded by the lock of the line.
 *
 * <p>Where an order is kept, this is the rule of {@link io.holdfast.spi.Line}: a ticket is in if
 * and only if its weight plus everything ahead of it fits. One difference: after a resize to less,
 * holders behind a waiter count too, or it would join those that are too many already.
 */
final class Room {

  /** How long a free resource without an order is kept for the first that waits. */
  static final Duration RESERVE = Duration.ofMillis(5);

  private static final long RESERVE_NANOS = RESERVE.toNanos();
  private static final long LEAST_RETRY_NANOS = 1_000_000;

  private record Reservation(Entry waiter, long end) {}

  private final Entries in = new Entries();
  private final Entries waiting = new Entries();
  private Shape shape;
  private @Nullable Reservation reserved;
  private @Nullable List<Wake> wakes;

  /** Somebody went or shrank, so there may be room for one that waits. */
  private boolean roomier;

  Room(Shape shape) {
    this.shape = shape;
  }

  Shape shape() {
    return shape;
  }

  Entries in() {
    return in;
  }

  Entries waiting() {
    return waiting;
  }

  boolean isEmpty() {
    return in.isEmpty() && waiting.isEmpty();
  }

  /** The first to come to an empty room says what it is. */
  void open(Shape brought) {
    shape = brought;
  }

  /** Changes the capacity. Who was called in under the old one must look again. */
  void resize(Shape changed) {
    shape = changed;
    for (Entry entry : waiting) {
      entry.called = false;
    }
    roomier = true;
  }

  void dropExpired(long now) {
    if (in.dropExpired(now)) {
      roomier = true;
    }
    if (waiting.dropExpired(now)) {
      waiterWent(reserved != null && waiting.find(reserved.waiter.ticket.id()) == null);
    }
  }

  /** Whether this entry, which is not in, can be let in now. It may wait here already or not. */
  boolean isFor(Entry entry, long now) {
    if (shape.order() == Order.ANY) {
      return in.isEmpty() && (!isReserved(now) || isReservedFor(entry));
    }
    if (entry.called) {
      return true;
    }
    long taken = in.weight() + entry.weight;
    for (Entry ahead : waiting) {
      if (ahead == entry || taken > shape.capacity()) {
        break;
      }
      taken += ahead.weight;
    }
    return taken <= shape.capacity();
  }

  void letIn(Entry entry, boolean waited) {
    if (waited) {
      waiting.remove(entry);
    }
    in.add(entry);
    reserved = null;
  }

  /** Another lease for an entry, and the smaller weight if the ticket has one. */
  void refresh(Entries where, Entry entry, Ticket ticket, long now) {
    entry.ticket = ticket;
    where.keep(entry, now + Nanos.of(ticket.lease()));
    if (ticket.weight() < entry.weight) {
      where.resize(entry, ticket.weight());
      roomier = true;
    }
  }

  void takeOutHolder(Entry holder) {
    in.remove(holder);
    roomier = true;
  }

  void takeOutWaiter(Entry waiter) {
    waiting.remove(waiter);
    waiterWent(isReservedFor(waiter));
  }

  /** Sends all waiters away to ask again; none of them has a place to keep. */
  void dismissWaiters() {
    waiting.forEach(this::wake);
    waiting.clear();
    reserved = null;
  }

  /** How many are ahead at most: those that left from between count, to save the walk. */
  int ahead(Entry entry) {
    Entry first = waiting.first();
    if (shape.order() == Order.ANY) {
      return 0;
    }
    return first == null
        ? in.size()
        : in.size() + (int) Math.min(waiting.size(), entry.place - first.place);
  }

  /** When one that is not in should ask again, even if nobody wakes it. */
  Duration retryAfter(long now) {
    if (in.isEmpty() && isReserved(now) && reserved != null) {
      return Duration.ofNanos(reserved.end - now);
    }
    Entries blocking = in.isEmpty() ? waiting : in;
    return Duration.ofNanos(Math.max(LEAST_RETRY_NANOS, blocking.untilSoonest(now)));
  }

  /** Who is to be woken, once nothing is locked: all for whom room was made, and nobody else. */
  @Nullable List<Wake> wakes(long now) {
    if (roomier) {
      roomier = false;
      if (shape.order() == Order.ANY) {
        reserveForFirst(now);
      } else {
        callIn();
      }
    }
    List<Wake> due = wakes;
    wakes = null;
    return due;
  }

  private void callIn() {
    long taken = in.weight();
    for (Entry entry : waiting) {
      taken += entry.weight;
      if (taken > shape.capacity()) {
        return;
      }
      if (!entry.called) {
        entry.called = true;
        wake(entry);
      }
    }
  }

  /** Without this, whoever has just left and is still running would get in again and again. */
  private void reserveForFirst(long now) {
    Entry first = waiting.first();
    if (first != null && in.isEmpty()) {
      reserved = new Reservation(first, now + RESERVE_NANOS);
      wake(first);
    }
  }

  private boolean isReserved(long now) {
    return reserved != null && reserved.end - now > 0;
  }

  private boolean isReservedFor(Entry entry) {
    return reserved != null && reserved.waiter == entry;
  }

  private void waiterWent(boolean hadReservation) {
    if (hadReservation) {
      reserved = null;
    }
    // Without an order, only one that was kept a place makes room by going.
    if (hadReservation || shape.order() == Order.FIFO) {
      roomier = true;
    }
  }

  private void wake(Entry entry) {
    if (wakes == null) {
      wakes = new ArrayList<>();
    }
    wakes.add(entry.wake);
  }
}
