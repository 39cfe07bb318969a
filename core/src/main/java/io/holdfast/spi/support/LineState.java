package io.holdfast.spi.support;

import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The line of one resource while {@link LineRules} work on it. Not thread-safe.
 *
 * <p>An engine that keeps its lines in memory keeps this object. An engine that keeps them in
 * records creates one from a {@link StoredLine} for a verb, and stores {@link #stored} afterwards.
 */
public final class LineState {

  private record Reservation(LineEntry waiter, long end) {}

  private static final long LEAST_RETRY_NANOS = 1_000_000;

  final LineEntries holders = new LineEntries();
  final LineEntries waiters = new LineEntries();
  Shape shape;
  long lastPlace;
  long now;
  StoredLine.@Nullable Mark mark;
  private @Nullable Reservation reserved;
  private @Nullable List<LineEntry> woken;

  /** Whether a ticket went or shrank, so that there may be room for a waiter. */
  private boolean roomier;

  /**
   * Creates an empty line.
   *
   * @param shape of the first ticket, or any other: a ticket that joins an empty line brings its
   *     own
   */
  public LineState(Shape shape) {
    this.shape = shape;
  }

  /** Returns the line that a store has kept. */
  public static LineState of(StoredLine stored) {
    LineState line = new LineState(stored.shape());
    line.lastPlace = stored.lastPlace();
    line.mark = stored.mark();
    for (StoredLine.StoredTicket ticket : stored.tickets()) {
      (ticket.token() == 0 ? line.waiters : line.holders).add(new LineEntry(ticket));
    }
    StoredLine.Reservation kept = stored.reservation();
    LineEntry first = kept == null ? null : line.waiters.find(kept.waiter());
    if (kept != null && first != null) {
      line.reserved = new Reservation(first, kept.end());
    }
    return line;
  }

  /** Returns the line as a store keeps it. */
  public StoredLine stored() {
    List<StoredLine.StoredTicket> tickets = new ArrayList<>(holders.size() + waiters.size());
    holders.forEach(entry -> tickets.add(stored(entry)));
    waiters.forEach(entry -> tickets.add(stored(entry)));
    StoredLine.Reservation kept =
        reserved == null ? null : new StoredLine.Reservation(reserved.waiter.id, reserved.end);
    return new StoredLine(shape, lastPlace, tickets, mark, kept);
  }

  private static StoredLine.StoredTicket stored(LineEntry entry) {
    return new StoredLine.StoredTicket(
        entry.id,
        entry.owner,
        entry.place,
        entry.joined,
        entry.weight,
        entry.lease,
        entry.expiry,
        entry.token,
        entry.revoked);
  }

  /** Returns the shape that tickets have to fit, unless the line is empty. */
  public Shape shape() {
    return shape;
  }

  /** Returns the time of the verb in progress, as it was given to {@link LineRules#begin}. */
  public long now() {
    return now;
  }

  /** Returns whether the line has no tickets and no mark. */
  public boolean isEmpty() {
    return holders.isEmpty() && waiters.isEmpty() && mark == null;
  }

  /** Returns whether tickets wait. */
  public boolean isWanted() {
    return !waiters.isEmpty();
  }

  /** Returns the mark of a finished run, or null if there is none. */
  public StoredLine.@Nullable Mark mark() {
    return mark;
  }

  /** Returns how long the mark stays, if there is one. */
  public Optional<Duration> marked() {
    return mark == null ? Optional.empty() : Optional.of(Duration.ofNanos(mark.end() - now));
  }

  /** Returns the holder or the waiter with an id, or null if there is none. */
  public @Nullable LineEntry find(Ticket.Id id) {
    LineEntry holder = holders.find(id);
    return holder == null ? waiters.find(id) : holder;
  }

  /** Returns the holder of a token, handed over or not, or null if there is none. */
  public @Nullable LineEntry findHolder(long token) {
    for (LineEntry holder : holders) {
      if (Token.grant(holder.token) == Token.grant(token)) {
        return holder;
      }
    }
    return null;
  }

  /** Returns holders and waiters in the order of their places: a copy. */
  public List<LineEntry> entries() {
    List<LineEntry> entries = new ArrayList<>(holders.size() + waiters.size());
    holders.forEach(entries::add);
    waiters.forEach(entries::add);
    // A waiter that was called in and has not attempted yet is ahead of some holders.
    entries.sort(Comparator.comparingLong(entry -> entry.place));
    return entries;
  }

  void dropExpired() {
    if (holders.dropExpired(now)) {
      roomier = true;
    }
    if (waiters.dropExpired(now)) {
      waiterWent(reserved != null && waiters.find(reserved.waiter.id) == null);
    }
    if (mark != null && mark.end() - now <= 0) {
      mark = null;
    }
  }

  /**
   * Returns whether this entry, which is not granted, fits now. It may wait in this line or not.
   *
   * <p>Where an order is kept, this is the rule of {@link io.holdfast.spi.Line}: a ticket is
   * granted if and only if its weight plus everything ahead of it fits. One difference: after a
   * resize to less, holders behind a waiter count too, or it would join holders that are too many
   * already.
   */
  boolean hasRoomFor(LineEntry entry) {
    if (shape.order() == Order.ANY) {
      return holders.isEmpty() && (!isReserved() || isReservedFor(entry));
    }
    if (entry.called) {
      return true;
    }
    long taken = holders.weight() + entry.weight;
    for (LineEntry ahead : waiters) {
      if (ahead == entry || taken > shape.capacity()) {
        break;
      }
      taken += ahead.weight;
    }
    return taken <= shape.capacity();
  }

  void letIn(LineEntry entry, boolean waited) {
    if (waited) {
      waiters.remove(entry);
    }
    holders.add(entry);
    reserved = null;
  }

  /** Keeps an entry for another lease, and gives it the ticket's weight if that is smaller. */
  void refresh(LineEntries among, LineEntry entry, Ticket ticket) {
    entry.owner = ticket.owner();
    among.keep(entry, now, Nanos.of(ticket.lease()));
    if (ticket.weight() < entry.weight) {
      among.shrink(entry, ticket.weight());
      roomier = true;
    }
  }

  void removeHolder(LineEntry holder) {
    holders.remove(holder);
    roomier = true;
  }

  void removeWaiter(LineEntry waiter) {
    waiters.remove(waiter);
    waiterWent(isReservedFor(waiter));
  }

  /** Removes and wakes all waiters: none of them has a place to keep. */
  void dismissWaiters() {
    waiters.forEach(this::wake);
    waiters.clear();
    reserved = null;
  }

  /** Changes the capacity. A waiter that was called in under the old one has to fit again. */
  void resize(Shape changed) {
    shape = changed;
    for (LineEntry waiter : waiters) {
      waiter.called = false;
    }
    roomier = true;
  }

  /** Returns how many tickets are ahead at most: departed ones in between count, to save a walk. */
  int ahead(LineEntry entry) {
    if (shape.order() == Order.ANY) {
      return 0;
    }
    LineEntry first = waiters.first();
    return first == null
        ? holders.size()
        : holders.size() + (int) Math.min(waiters.size(), entry.place - first.place);
  }

  /** Returns when a waiter should attempt again even if nothing wakes it. */
  Duration retryAfter() {
    if (holders.isEmpty() && reserved != null && isReserved()) {
      return Duration.ofNanos(reserved.end - now);
    }
    LineEntries blocking = holders.isEmpty() ? waiters : holders;
    return Duration.ofNanos(Math.max(LEAST_RETRY_NANOS, blocking.untilSoonest(now)));
  }

  /**
   * Returns the waiters to wake since the last call: all for which room was made, and no others.
   *
   * @param reserveNanos how long a free resource without an order is kept for its first waiter
   */
  List<LineEntry> takeWoken(long reserveNanos) {
    if (roomier) {
      roomier = false;
      if (shape.order() == Order.ANY) {
        reserveForFirst(reserveNanos);
      } else {
        callIn();
      }
    }
    List<LineEntry> due = woken;
    woken = null;
    return due == null ? List.of() : due;
  }

  private void callIn() {
    long taken = holders.weight();
    for (LineEntry waiter : waiters) {
      taken += waiter.weight;
      if (taken > shape.capacity()) {
        return;
      }
      if (!waiter.called) {
        waiter.called = true;
        wake(waiter);
      }
    }
  }

  /** Without the reservation, a client that has just left and still runs would always win. */
  private void reserveForFirst(long reserveNanos) {
    LineEntry first = waiters.first();
    if (first != null && holders.isEmpty()) {
      reserved = reserveNanos == 0 ? null : new Reservation(first, now + reserveNanos);
      wake(first);
    }
  }

  private boolean isReserved() {
    return reserved != null && reserved.end - now > 0;
  }

  private boolean isReservedFor(LineEntry entry) {
    return reserved != null && reserved.waiter == entry;
  }

  private void waiterWent(boolean hadReservation) {
    if (hadReservation) {
      reserved = null;
    }
    // Without an order, only the waiter with the reservation makes room by going.
    if (hadReservation || shape.order() == Order.FIFO) {
      roomier = true;
    }
  }

  private void wake(LineEntry waiter) {
    if (woken == null) {
      woken = new ArrayList<>(1);
    }
    woken.add(waiter);
  }
}
