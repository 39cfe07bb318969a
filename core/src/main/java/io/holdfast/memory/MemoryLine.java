package io.holdfast.memory;

import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The line of one resource and what the verbs do to it. Everything happens between {@link #enter}
 * and {@link #exit}; who gets in when is in {@link Room}.
 */
final class MemoryLine {

  /*
   * Why no rival gets in: between enter and exit the line belongs to one thread. A line is taken out
   * of the store's map before it is unlocked for the last time, and nobody acts on a dead one: at
   * any time a resource has one line, and its verbs have an order. A ticket is granted only if its
   * weight fits beside all that are in and, where an order is kept, all that wait ahead of it. Who
   * is in stays counted until it leaves, is evicted, or its lease has ended on the store's clock;
   * the store counts that lease from within the call and the holder from before it, so the holder
   * stops first. Tokens are minted between enter and exit too, so those of a line rise.
   *
   * What breaks it: a holder whose clock runs slower than the store's by more than the drift that
   * the runtime takes off, and evict, which says so: from there on the token alone protects.
   */

  /** A finished run: who made it, so that it may say so twice, and when the mark ends. */
  private record Mark(Ticket.Id maker, long end) {}

  private final MemoryStore store;
  private final Resource resource;
  private final Room room;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Mark mark;
  private long places;
  private long now;
  private boolean dead;

  MemoryLine(MemoryStore store, Resource resource, Shape shape) {
    this.store = store;
    this.resource = resource;
    this.room = new Room(shape);
  }

  /**
   * Locks the line and forgets what has expired; false when the line is over: find its successor.
   */
  boolean enter() {
    lock.lock();
    if (dead) {
      lock.unlock();
      return false;
    }
    // Read under the lock, so that the times of a line are in the order of its verbs.
    now = store.now();
    room.dropExpired(now);
    if (mark != null && mark.end - now <= 0) {
      mark = null;
    }
    return true;
  }

  /** Ends what {@link #enter} began: an empty line goes, those that have room now are woken. */
  void exit() {
    List<Wake> wakes;
    try {
      wakes = room.wakes(now);
      if (isEmpty()) {
        dead = true;
        store.forget(resource, this);
      }
    } finally {
      lock.unlock();
    }
    if (wakes != null) {
      wakes.forEach(Wake::wake);
    }
  }

  /** Nobody is in or waits, and there is no mark. */
  boolean isEmpty() {
    return room.isEmpty() && mark == null;
  }

  Resource resource() {
    return resource;
  }

  Room room() {
    return room;
  }

  /** The time of the verb that is under way. */
  long now() {
    return now;
  }

  /** How long the mark stays, if there is one. */
  Optional<Duration> marked() {
    return mark == null ? Optional.empty() : Optional.of(Duration.ofNanos(mark.end - now));
  }

  Standing attempt(Ticket ticket, Wake wake) throws Refused {
    requireNotDeparted(ticket);
    store.requireGeneration(ticket);
    Entry holder = room.in().find(ticket.id());
    if (holder != null) {
      return again(holder, ticket);
    }
    Entry waiter = room.waiting().find(ticket.id());
    if (waiter != null) {
      return askAgain(waiter, ticket, wake);
    }
    requireShape(ticket);
    if (mark != null) {
      return new Standing.Done(Duration.ofNanos(mark.end - now));
    }
    requireWeight(ticket, room.shape().capacity());
    Entry entry = new Entry(ticket, ++places, now);
    if (room.isFor(entry, now)) {
      return grant(entry, false);
    }
    if (ticket.waits()) {
      entry.wake = wake;
      room.waiting().add(entry);
    }
    return behind(entry);
  }

  private Standing again(Entry holder, Ticket ticket) throws Refused {
    if (holder.revoked != null) {
      throw store.refusals.revoked(ticket, holder.revoked);
    }
    requireSame(holder, ticket);
    room.refresh(room.in(), holder, ticket, now);
    return granted(holder);
  }

  private Standing askAgain(Entry waiter, Ticket ticket, Wake wake) throws Refused {
    requireSame(waiter, ticket);
    if (ticket.weight() > room.shape().capacity()) {
      // It was resized meanwhile; one that can never get in must not keep those behind it waiting.
      room.takeOutWaiter(waiter);
      throw store.refusals.heavierThanCapacity(ticket, room.shape().capacity());
    }
    room.refresh(room.waiting(), waiter, ticket, now);
    if (room.isFor(waiter, now)) {
      return grant(waiter, true);
    }
    if (ticket.waits()) {
      waiter.wake = wake;
    } else {
      room.takeOutWaiter(waiter);
    }
    return behind(waiter);
  }

  private Standing grant(Entry entry, boolean waited) {
    entry.granted(store.mint(entry.ticket.generation()));
    room.letIn(entry, waited);
    return granted(entry);
  }

  private Standing granted(Entry entry) {
    return new Standing.Granted(entry.token, left(entry), isWanted());
  }

  private Duration left(Entry entry) {
    return Duration.ofNanos(entry.expiry - now);
  }

  private Standing behind(Entry entry) {
    Entry holder = room.in().first();
    Optional<Standing.Holder> shown =
        holder == null
            ? Optional.empty()
            : Optional.of(new Standing.Holder(holder.ticket.owner(), holder.token, left(holder)));
    return new Standing.Waiting(room.ahead(entry), room.retryAfter(now), shown);
  }

  Renewal renew(Ticket ticket) {
    Entry holder = room.in().find(ticket.id());
    if (holder == null) {
      return store.gone(ticket, now);
    }
    if (holder.revoked != null) {
      return new Renewal.Gone(Renewal.Cause.REVOKED, holder.revoked);
    }
    room.in().keep(holder, now + Nanos.of(ticket.lease()));
    return new Renewal.Renewed(left(holder), isWanted());
  }

  Left leave(Ticket ticket) {
    Entry holder = room.in().find(ticket.id());
    if (holder != null) {
      room.takeOutHolder(holder);
      return Left.HOLDING;
    }
    Entry waiter = room.waiting().find(ticket.id());
    if (waiter != null) {
      room.takeOutWaiter(waiter);
      return Left.WAITING;
    }
    return Left.NOTHING;
  }

  boolean settle(Ticket ticket, Duration keep) {
    if (mark != null && mark.maker.equals(ticket.id())) {
      return true;
    }
    Entry holder = room.in().find(ticket.id());
    if (holder == null) {
      return false;
    }
    room.takeOutHolder(holder);
    long nanos = Nanos.of(keep);
    if (nanos > 0) {
      mark = new Mark(ticket.id(), now + nanos);
      store.tidyLater(resource, mark.end);
      room.dismissWaiters();
    }
    return true;
  }

  boolean resize(Ticket ticket) throws Refused {
    store.requireGeneration(ticket);
    if (isEmpty()) {
      return false;
    }
    if (room.shape().kind() != Shape.Kind.SEMAPHORE) {
      throw store.refusals.shape(ticket, room.shape());
    }
    room.resize(ticket.shape());
    return true;
  }

  /** The entry that is in with this token, handed over or not. */
  @Nullable Entry findGrant(long token) {
    for (Entry holder : room.in()) {
      if (Token.grant(holder.token) == Token.grant(token)) {
        return holder;
      }
    }
    return null;
  }

  void evict(Entry holder, String reason) {
    room.takeOutHolder(holder);
    store.departures.evicted(holder.ticket, reason, now);
  }

  private boolean isWanted() {
    return !room.waiting().isEmpty();
  }

  private void requireNotDeparted(Ticket ticket) throws Refused {
    Departures.Departure departure = store.departures.find(ticket.id(), now);
    if (departure != null) {
      throw departure.evicted() == null
          ? store.refusals.left(ticket)
          : store.refusals.revoked(ticket, departure.evicted());
    }
  }

  /** A newcomer must fit the shape that stands; to an empty line it brings its own. */
  private void requireShape(Ticket ticket) throws Refused {
    if (isEmpty()) {
      if (ticket.shape().capacity() == Shape.ADOPT) {
        throw store.refusals.nothingToAdopt(ticket);
      }
      room.open(ticket.shape());
    } else if (!ticket.shape().fits(room.shape())) {
      throw store.refusals.shape(ticket, room.shape());
    }
  }

  private void requireWeight(Ticket ticket, int capacity) throws Refused {
    if (ticket.weight() > capacity) {
      throw store.refusals.heavierThanCapacity(ticket, capacity);
    }
  }

  /** One that is in line already may state the capacity of before a resize, but not grow. */
  private void requireSame(Entry entry, Ticket ticket) throws Refused {
    Shape stands = room.shape();
    if (stands.kind() != ticket.shape().kind() || stands.order() != ticket.shape().order()) {
      throw store.refusals.shape(ticket, stands);
    }
    if (ticket.weight() > entry.weight) {
      throw store.refusals.heavierThanBefore(ticket, entry.weight);
    }
  }
}
