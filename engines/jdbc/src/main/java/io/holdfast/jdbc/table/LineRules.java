package io.holdfast.jdbc.table;

import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.Left;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Verbs on a line. This is the rule of {@link io.holdfast.spi.Line}: a ticket is in if and only if
 * its weight plus everything ahead of it fits. One difference: after a resize to less, holders
 * behind one that waits count too, or it would join those that are too many already.
 */
final class LineRules {

  private static final long LEAST_RETRY_MICROS = 1000;

  private final Refusals refusals;

  LineRules(Refusals refusals) {
    this.refusals = refusals;
  }

  Standing attempt(Head head, Ticket ticket) throws Refused {
    Seat seat = head.find(ticket.id().encoded());
    if (seat == null) {
      return join(head, ticket);
    }
    requireSame(head, seat, ticket);
    if (!seat.isIn() && ticket.weight() > head.capacity) {
      // It was resized meanwhile; one that can never get in must not keep those behind it waiting.
      head.takeOut(seat);
      throw refusals.heavierThanCapacity(ticket, head.capacity);
    }
    refresh(head, seat, ticket);
    if (seat.isIn()) {
      return granted(head, seat);
    }
    if (fits(head, seat)) {
      return letIn(head, seat, ticket);
    }
    if (!ticket.waits()) {
      head.takeOut(seat);
    }
    return behind(head, seat);
  }

  /** One that is in line already may state the capacity of before a resize, but not grow. */
  private void requireSame(Head head, Seat seat, Ticket ticket) throws Refused {
    if (!head.kind.equals(Letters.of(ticket.shape()))) {
      throw refusals.shape(ticket, head.shape());
    }
    if (seat.revoked != null) {
      throw refusals.revoked(ticket, seat.revoked);
    }
    if (ticket.weight() > seat.weight) {
      throw refusals.heavierThanBefore(ticket, seat.weight);
    }
  }

  private static void keep(Head head, Seat seat, Ticket ticket) {
    Term term = new Term(seat.lease, seat.expires).renewed(head.now, Micros.of(ticket.lease()));
    seat.lease = term.lease();
    seat.expires = term.end();
    seat.changed = true;
  }

  private static void refresh(Head head, Seat seat, Ticket ticket) {
    keep(head, seat, ticket);
    if (ticket.weight() < seat.weight) {
      seat.weight = ticket.weight();
      head.roomier = true;
    }
  }

  private Standing join(Head head, Ticket ticket) throws Refused {
    open(head, ticket);
    if (ticket.weight() > head.capacity) {
      throw refusals.heavierThanCapacity(ticket, head.capacity);
    }
    Seat seat =
        new Seat(
            ++head.nextPlace,
            ticket.id().encoded(),
            head.now,
            OwnerText.write(ticket.owner()),
            false);
    seat.weight = ticket.weight();
    refresh(head, seat, ticket);
    boolean fits = fits(head, seat);
    if (fits || ticket.waits()) {
      head.seats.add(seat);
      head.changed = true;
    }
    return fits ? letIn(head, seat, ticket) : behind(head, seat);
  }

  /** The first to come says what it is; the others must ask for the same. */
  private void open(Head head, Ticket ticket) throws Refused {
    Shape asked = ticket.shape();
    if (head.isInUse()) {
      if (head.seats.isEmpty() || !asked.fits(head.shape())) {
        throw refusals.shape(ticket, head.shape());
      }
      return;
    }
    if (asked.capacity() == Shape.ADOPT) {
      throw refusals.nothingToAdopt(ticket);
    }
    head.free();
    head.kind = Letters.of(asked);
    head.capacity = asked.capacity();
    head.forgetWaiting();
  }

  private static boolean fits(Head head, Seat seat) {
    long taken = seat.weight;
    for (Seat other : head.seats) {
      if (other != seat && (other.isIn() || other.place < seat.place)) {
        taken += other.weight;
      }
    }
    return taken <= head.capacity;
  }

  private static Standing letIn(Head head, Seat seat, Ticket ticket) {
    seat.token = head.mint(ticket.generation());
    return granted(head, seat);
  }

  private static Standing granted(Head head, Seat seat) {
    return new Standing.Granted(seat.token, validFor(head, seat), isWanted(head));
  }

  private static Duration validFor(Head head, Seat seat) {
    return Micros.time(seat.expires - head.now);
  }

  private static boolean isWanted(Head head) {
    return head.seats.stream().anyMatch(seat -> !seat.isIn());
  }

  private static Standing behind(Head head, Seat seat) {
    int ahead = 0;
    @Nullable Seat holder = null;
    long soonest = Long.MAX_VALUE;
    for (Seat other : head.seats) {
      if (other != seat && (other.isIn() || other.place < seat.place)) {
        ahead++;
        soonest = Math.min(soonest, other.expires);
      }
      if (other.isIn() && (holder == null || other.expires < holder.expires)) {
        holder = other;
      }
    }
    Duration retry = left(head, holder == null ? soonest : holder.expires);
    if (holder == null) {
      return new Standing.Waiting(ahead, retry, Optional.empty());
    }
    return new Standing.Waiting(
        ahead,
        retry,
        Optional.of(
            new Standing.Holder(
                OwnerText.read(holder.owner), holder.token, left(head, holder.expires))));
  }

  private static Duration left(Head head, long end) {
    return Micros.time(Math.max(LEAST_RETRY_MICROS, end - head.now));
  }

  Renewal renew(Head head, Ticket ticket) {
    Seat seat = head.find(ticket.id().encoded());
    if (seat == null || !seat.isIn()) {
      return gone(head, ticket);
    }
    if (seat.revoked != null) {
      return new Renewal.Gone(Renewal.Cause.REVOKED, seat.revoked);
    }
    keep(head, seat, ticket);
    return new Renewal.Renewed(validFor(head, seat), isWanted(head));
  }

  /** What is said to one that is not in. */
  static Renewal gone(Head head, Ticket ticket) {
    return head.gone
        .find(ticket.id().encoded())
        .map(Gone.Departure::evicted)
        .map(words -> new Renewal.Gone(Renewal.Cause.REVOKED, words))
        .orElse(new Renewal.Gone(Renewal.Cause.UNKNOWN_TICKET, ""));
  }

  Left leave(Head head, Ticket ticket) {
    Seat seat = head.find(ticket.id().encoded());
    if (seat == null) {
      return Left.NOTHING;
    }
    head.takeOut(seat);
    return seat.isIn() ? Left.HOLDING : Left.WAITING;
  }

  boolean resize(Head head, Ticket ticket) throws Refused {
    if (!head.isInUse()) {
      return false;
    }
    if (head.seats.isEmpty() || head.shape().kind() != Shape.Kind.SEMAPHORE) {
      throw refusals.shape(ticket, head.shape());
    }
    head.capacity = ticket.shape().capacity();
    head.changed = true;
    head.roomier = true;
    return true;
  }

  /** The places of those for whom there is room now. */
  static List<Long> called(Head head) {
    List<Long> places = new ArrayList<>();
    long taken = head.seats.stream().filter(Seat::isIn).mapToLong(seat -> seat.weight).sum();
    for (Seat seat : head.seats) {
      if (!seat.isIn()) {
        taken += seat.weight;
        if (taken > head.capacity) {
          break;
        }
        places.add(seat.place);
      }
    }
    return places;
  }
}
