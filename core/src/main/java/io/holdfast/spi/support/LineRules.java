package io.holdfast.spi.support;

import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.Left;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Computes the effect of each verb on a line: result, changes and waiters to wake.
 *
 * <p>The rules read no clock, take no lock and send nothing. An engine makes the step atomic, by a
 * lock or by a transaction, and calls within it:
 *
 * <pre>{@code
 * rules.begin(line, now);                        // drops what has expired
 * try {
 *   return rules.attempt(line, ticket, wake);    // or another verb, or several
 * } finally {
 *   wake(rules.finish(line));                    // after a refusal too; wake with no lock held
 * }
 * }</pre>
 *
 * <p>A line in memory is a {@link LineState} that stays. A line in records is a {@link StoredLine}
 * that is read before and written after:
 *
 * <pre>{@code
 * LineState line = LineState.of(before);
 * ... as above ...
 * write(before.changesTo(line.stored()));
 * }</pre>
 *
 * <p>All times are nanoseconds of one clock with any origin, and are compared by difference. The
 * clock may be monotonic, or that of a store, which may go back.
 */
public final class LineRules {

  /*
   * Why no rival gets in: the engine gives each line to one verb at a time. A ticket is granted
   * only if its weight fits next to all holders and, where an order is kept, all waiters ahead of
   * it. A holder stays counted until it leaves, is evicted, or its lease has ended on the line's
   * clock; that lease is counted from within the verb and the holder counts from before it, so the
   * holder stops first. Tokens are minted within the verb too, so those of a line rise.
   *
   * What breaks it: a holder whose clock runs slower than the line's by more than the drift that
   * the runtime takes off, and evict: from there on the token alone protects.
   */

  private final Refusals refusals;
  private final LineStore store;
  private final long reserveNanos;

  /**
   * Creates the rules of a store.
   *
   * @param reserve how long a free resource without an order is kept for its first waiter; zero if
   *     it is not, as where waiters poll
   */
  public LineRules(Refusals refusals, LineStore store, Duration reserve) {
    this.refusals = refusals;
    this.store = store;
    this.reserveNanos = Nanos.of(reserve);
  }

  /** Starts a step: sets the time of the line and drops what has expired by then. */
  public void begin(LineState line, long now) {
    line.now = now;
    line.dropExpired();
  }

  /**
   * Ends a step and returns the waiters to wake, in order.
   *
   * <p>In order FIFO these are all for which there is room now, and their room is kept for them; in
   * order ANY it is the first waiter, for which the resource is reserved. A waiter is returned once
   * for the same room, unless its line was stored meanwhile.
   */
  public List<LineEntry> finish(LineState line) {
    return line.takeWoken(reserveNanos);
  }

  /**
   * Joins the line, or reports where the ticket stands in it.
   *
   * @param wake kept for as long as the ticket waits; see {@link LineEntry#wake}
   */
  public Standing attempt(LineState line, Ticket ticket, Wake wake) throws Refused {
    requireNotDeparted(line, ticket);
    requireGeneration(ticket);
    LineEntry holder = line.holders.find(ticket.id());
    if (holder != null) {
      return attemptOfHolder(line, holder, ticket);
    }
    LineEntry waiter = line.waiters.find(ticket.id());
    return waiter == null ? join(line, ticket, wake) : attemptOfWaiter(line, waiter, ticket, wake);
  }

  private Standing join(LineState line, Ticket ticket, Wake wake) throws Refused {
    requireShape(line, ticket);
    if (line.mark != null) {
      return new Standing.Done(Duration.ofNanos(line.mark.end() - line.now));
    }
    int capacity = line.shape.capacity();
    if (ticket.weight() > capacity) {
      throw refusals.heavierThanCapacity(ticket, capacity);
    }
    LineEntry entry = new LineEntry(ticket, ++line.lastPlace, line.now);
    if (line.hasRoomFor(entry)) {
      entry.grant(store.mint(ticket.generation()));
      line.letIn(entry, /* waited= */ false);
      return granted(line, entry);
    }
    if (line.holders.find(ticket.id().kept()) != null) {
      // A late attempt of the ticket that is kept; it must not wait behind itself.
      throw refusals.left(ticket);
    }
    if (ticket.waits()) {
      entry.wake = wake;
      line.waiters.add(entry);
    }
    return waiting(line, entry);
  }

  private Standing attemptOfHolder(LineState line, LineEntry holder, Ticket ticket) throws Refused {
    if (holder.revoked != null) {
      throw refusals.revoked(ticket, holder.revoked);
    }
    requireSame(line, holder, ticket);
    line.refresh(line.holders, holder, ticket);
    return granted(line, holder);
  }

  private Standing attemptOfWaiter(LineState line, LineEntry waiter, Ticket ticket, Wake wake)
      throws Refused {
    requireSame(line, waiter, ticket);
    int capacity = line.shape.capacity();
    if (ticket.weight() > capacity) {
      // The line was resized. A ticket that can never get in must not block the tickets behind it.
      line.removeWaiter(waiter);
      throw refusals.heavierThanCapacity(ticket, capacity);
    }
    line.refresh(line.waiters, waiter, ticket);
    if (line.hasRoomFor(waiter)) {
      grant(line, waiter, ticket.generation());
      return granted(line, waiter);
    }
    if (ticket.waits()) {
      waiter.wake = wake;
    } else {
      line.removeWaiter(waiter);
    }
    return waiting(line, waiter);
  }

  /**
   * Grants a waiter that {@link #finish} returned, without another attempt and without prolonging
   * its lease: for stores that report grants by their signals.
   *
   * @return the token
   */
  public long grant(LineState line, LineEntry waiter, int generation) {
    waiter.grant(store.mint(generation));
    line.letIn(waiter, /* waited= */ true);
    return waiter.token;
  }

  private static Standing granted(LineState line, LineEntry holder) {
    return new Standing.Granted(holder.token, left(line, holder), line.isWanted());
  }

  private static Standing waiting(LineState line, LineEntry entry) {
    LineEntry holder = line.holders.first();
    Optional<Standing.Holder> shown =
        holder == null
            ? Optional.empty()
            : Optional.of(new Standing.Holder(holder.owner, holder.token, left(line, holder)));
    return new Standing.Waiting(line.ahead(entry), line.retryAfter(), shown);
  }

  private static Duration left(LineState line, LineEntry entry) {
    return Duration.ofNanos(entry.expiry - line.now);
  }

  /** Keeps a holder for another lease. */
  public Renewal renew(LineState line, Ticket ticket) {
    LineEntry holder = line.holders.find(ticket.id());
    if (holder == null) {
      return gone(ticket, line.now);
    }
    if (holder.revoked != null) {
      return new Renewal.Gone(Renewal.Cause.REVOKED, holder.revoked);
    }
    line.holders.keep(holder, line.now, Nanos.of(ticket.lease()));
    return new Renewal.Renewed(left(line, holder), line.isWanted());
  }

  /** Returns the result of a renewal where there is no line: the ticket holds nothing. */
  public Renewal gone(Ticket ticket, long now) {
    LineStore.Departure departure = store.findDeparture(ticket.id(), now);
    return departure == null || departure.evicted() == null
        ? new Renewal.Gone(Renewal.Cause.UNKNOWN_TICKET, "")
        : new Renewal.Gone(Renewal.Cause.REVOKED, departure.evicted());
  }

  /**
   * Takes a holder or waiter out.
   *
   * <p>If the leave is in doubt, the engine records the departure first, even without a line; see
   * {@link LineStore#findDeparture}.
   */
  public Left leave(LineState line, Ticket ticket) {
    LineEntry holder = line.holders.find(ticket.id());
    if (holder != null) {
      line.removeHolder(holder);
      return Left.HOLDING;
    }
    LineEntry waiter = line.waiters.find(ticket.id());
    if (waiter != null) {
      line.removeWaiter(waiter);
      return Left.WAITING;
    }
    return Left.NOTHING;
  }

  /**
   * Turns the holder of a once into a mark and dismisses the waiters, which learn of the mark when
   * they attempt again. The holder of a mutex stays in line under another id, {@link
   * Ticket.Id#kept}, and ends after {@code keep}. A {@code keep} that is not positive has already
   * ended.
   *
   * <p>Checked by {@link Admission#requireSettle} first.
   *
   * @return whether the ticket was granted, or was settled before
   */
  public boolean settle(LineState line, Ticket ticket, Duration keep) {
    if (line.mark != null && line.mark.maker().equals(ticket.id())) {
      return true;
    }
    boolean mutex = ticket.shape().kind() == Shape.Kind.MUTEX;
    LineEntry holder = line.holders.find(ticket.id());
    if (holder == null) {
      return mutex && line.holders.find(ticket.id().kept()) != null;
    }
    long nanos = Nanos.of(keep);
    if (nanos > 0 && mutex) {
      // Nobody is woken: there is as little room as before.
      line.holders.remove(holder);
      line.holders.add(holder.kept(ticket.id().kept(), nanos, line.now + nanos));
      return true;
    }
    line.removeHolder(holder);
    if (nanos > 0) {
      line.mark = new StoredLine.Mark(ticket.id(), line.now + nanos);
      line.dismissWaiters();
    }
    return true;
  }

  /**
   * Changes the capacity of a semaphore. Holders keep what they have, even if it is more than the
   * new capacity; then no waiter is granted until enough of them left.
   *
   * <p>Checked by {@link Admission#requireResize} first.
   *
   * @return whether there was a line to resize
   */
  public boolean resize(LineState line, Ticket ticket) throws Refused {
    requireGeneration(ticket);
    if (line.isEmpty()) {
      return false;
    }
    if (line.shape.kind() != Shape.Kind.SEMAPHORE) {
      throw refusals.shape(ticket, line.shape);
    }
    line.resize(ticket.shape());
    return true;
  }

  /** Asks a holder to go: it stays in line until it leaves or its lease ends, but cannot renew. */
  public void revoke(LineEntry holder, String reason) {
    holder.revoked = reason;
  }

  /**
   * Takes a holder out at once.
   *
   * <p>The engine records the departure and its reason for one {@link LineEntry#lease}.
   */
  public void evict(LineState line, LineEntry holder) {
    line.removeHolder(holder);
  }

  private void requireNotDeparted(LineState line, Ticket ticket) throws Refused {
    LineStore.Departure departure = store.findDeparture(ticket.id(), line.now);
    if (departure != null) {
      @Nullable String reason = departure.evicted();
      throw reason == null ? refusals.left(ticket) : refusals.revoked(ticket, reason);
    }
  }

  /** Within the step: else an old client could pass, pause, and get its lower token too late. */
  private void requireGeneration(Ticket ticket) throws Refused {
    int known = store.raiseGeneration(ticket);
    if (ticket.generation() < known) {
      throw refusals.generation(ticket, known);
    }
  }

  /** A new ticket must fit the shape of the line; to an empty line it brings its own. */
  private void requireShape(LineState line, Ticket ticket) throws Refused {
    if (line.isEmpty()) {
      if (ticket.shape().capacity() == Shape.ADOPT) {
        throw refusals.nothingToAdopt(ticket);
      }
      line.shape = ticket.shape();
    } else if (!ticket.shape().fits(line.shape)) {
      throw refusals.shape(ticket, line.shape);
    }
  }

  /** A ticket in line may state the capacity of before a resize, but may not grow. */
  private void requireSame(LineState line, LineEntry entry, Ticket ticket) throws Refused {
    Shape stands = line.shape;
    if (stands.kind() != ticket.shape().kind() || stands.order() != ticket.shape().order()) {
      throw refusals.shape(ticket, stands);
    }
    if (ticket.weight() > entry.weight) {
      throw refusals.heavierThanBefore(ticket, entry.weight);
    }
  }
}
