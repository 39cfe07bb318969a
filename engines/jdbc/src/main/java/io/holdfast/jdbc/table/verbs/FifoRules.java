package io.holdfast.jdbc.table.verbs;

import io.holdfast.jdbc.table.layout.DepartedColumn;
import io.holdfast.jdbc.table.layout.LeaseEnd;
import io.holdfast.jdbc.table.layout.Micros;
import io.holdfast.jdbc.table.layout.ResourceRow;
import io.holdfast.jdbc.table.layout.ShapeCode;
import io.holdfast.jdbc.table.layout.TicketRow;
import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.Left;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.support.OwnerText;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Applies verbs to a line, by the rule of {@link io.holdfast.spi.Line}.
 *
 * <p>A ticket is granted if and only if its weight plus everything ahead of it fits. One
 * difference: after a resize to less, holders behind a waiter count too, or the waiter would join
 * too many holders.
 */
final class FifoRules {

  private static final long LEAST_RETRY_MICROS = 1000;

  private final Refusals refusals;

  FifoRules(Refusals refusals) {
    this.refusals = refusals;
  }

  Standing attempt(ResourceRow row, Ticket ticket) throws Refused {
    TicketRow ticketRow = row.find(ticket.id().encoded());
    if (ticketRow == null) {
      if (row.find(ticket.id().kept().encoded()) != null) {
        // A late attempt: the mutex stays taken without its client.
        throw refusals.left(ticket);
      }
      return join(row, ticket);
    }
    requireSame(row, ticketRow, ticket);
    if (!ticketRow.isIn() && ticket.weight() > row.capacity) {
      // It was resized meanwhile; a ticket that can never get in must not block the tickets behind
      // it.
      row.takeOut(ticketRow);
      throw refusals.heavierThanCapacity(ticket, row.capacity);
    }
    refresh(row, ticketRow, ticket);
    if (ticketRow.isIn()) {
      return granted(row, ticketRow);
    }
    if (fits(row, ticketRow)) {
      return letIn(row, ticketRow, ticket);
    }
    if (!ticket.waits()) {
      row.takeOut(ticketRow);
    }
    return behind(row, ticketRow);
  }

  /** A ticket in line may state the capacity from before a resize, but must not grow. */
  private void requireSame(ResourceRow row, TicketRow ticketRow, Ticket ticket) throws Refused {
    if (!row.kind.equals(ShapeCode.of(ticket.shape()))) {
      throw refusals.shape(ticket, row.shape());
    }
    if (ticketRow.revoked != null) {
      throw refusals.revoked(ticket, ticketRow.revoked);
    }
    if (ticket.weight() > ticketRow.weight) {
      throw refusals.heavierThanBefore(ticket, ticketRow.weight);
    }
  }

  private static void keep(ResourceRow row, TicketRow ticketRow, Ticket ticket) {
    LeaseEnd term =
        new LeaseEnd(ticketRow.lease, ticketRow.expires)
            .renewed(row.now, Micros.of(ticket.lease()));
    ticketRow.lease = term.lease();
    ticketRow.expires = term.end();
    ticketRow.changed = true;
  }

  private static void refresh(ResourceRow row, TicketRow ticketRow, Ticket ticket) {
    keep(row, ticketRow, ticket);
    if (ticket.weight() < ticketRow.weight) {
      ticketRow.weight = ticket.weight();
      row.roomier = true;
    }
  }

  private Standing join(ResourceRow row, Ticket ticket) throws Refused {
    open(row, ticket);
    if (ticket.weight() > row.capacity) {
      throw refusals.heavierThanCapacity(ticket, row.capacity);
    }
    TicketRow ticketRow =
        new TicketRow(
            ++row.nextPlace,
            ticket.id().encoded(),
            row.now,
            OwnerText.write(ticket.owner()),
            false);
    ticketRow.weight = ticket.weight();
    refresh(row, ticketRow, ticket);
    boolean fits = fits(row, ticketRow);
    if (fits || ticket.waits()) {
      row.ticketRows.add(ticketRow);
      row.changed = true;
    }
    return fits ? letIn(row, ticketRow, ticket) : behind(row, ticketRow);
  }

  /** The first ticket determines the shape; the others must ask for the same. */
  private void open(ResourceRow row, Ticket ticket) throws Refused {
    Shape asked = ticket.shape();
    if (row.isInUse()) {
      if (row.ticketRows.isEmpty() || !asked.fits(row.shape())) {
        throw refusals.shape(ticket, row.shape());
      }
      return;
    }
    if (asked.capacity() == Shape.ADOPT) {
      throw refusals.nothingToAdopt(ticket);
    }
    row.free();
    row.kind = ShapeCode.of(asked);
    row.capacity = asked.capacity();
    row.forgetWaiting();
  }

  private static boolean fits(ResourceRow row, TicketRow ticketRow) {
    long taken = ticketRow.weight;
    for (TicketRow other : row.ticketRows) {
      if (other != ticketRow && (other.isIn() || other.place < ticketRow.place)) {
        taken += other.weight;
      }
    }
    return taken <= row.capacity;
  }

  private static Standing letIn(ResourceRow row, TicketRow ticketRow, Ticket ticket) {
    ticketRow.token = row.mint(ticket.generation());
    return granted(row, ticketRow);
  }

  private static Standing granted(ResourceRow row, TicketRow ticketRow) {
    return new Standing.Granted(ticketRow.token, validFor(row, ticketRow), isWanted(row));
  }

  private static Duration validFor(ResourceRow row, TicketRow ticketRow) {
    return Micros.time(ticketRow.expires - row.now);
  }

  private static boolean isWanted(ResourceRow row) {
    return row.ticketRows.stream().anyMatch(ticketRow -> !ticketRow.isIn());
  }

  private static Standing behind(ResourceRow row, TicketRow ticketRow) {
    int ahead = 0;
    @Nullable TicketRow holder = null;
    long soonest = Long.MAX_VALUE;
    for (TicketRow other : row.ticketRows) {
      if (other != ticketRow && (other.isIn() || other.place < ticketRow.place)) {
        ahead++;
        soonest = Math.min(soonest, other.expires);
      }
      if (other.isIn() && (holder == null || other.expires < holder.expires)) {
        holder = other;
      }
    }
    Duration retry = left(row, holder == null ? soonest : holder.expires);
    if (holder == null) {
      return new Standing.Waiting(ahead, retry, Optional.empty());
    }
    return new Standing.Waiting(
        ahead,
        retry,
        Optional.of(
            new Standing.Holder(
                OwnerText.read(holder.owner), holder.token, left(row, holder.expires))));
  }

  private static Duration left(ResourceRow row, long end) {
    return Micros.time(Math.max(LEAST_RETRY_MICROS, end - row.now));
  }

  Renewal renew(ResourceRow row, Ticket ticket) {
    TicketRow ticketRow = row.find(ticket.id().encoded());
    if (ticketRow == null || !ticketRow.isIn()) {
      return gone(row, ticket);
    }
    if (ticketRow.revoked != null) {
      return new Renewal.Gone(Renewal.Cause.REVOKED, ticketRow.revoked);
    }
    keep(row, ticketRow, ticket);
    return new Renewal.Renewed(validFor(row, ticketRow), isWanted(row));
  }

  /** Returns the result for a ticket that holds nothing. */
  static Renewal gone(ResourceRow row, Ticket ticket) {
    return row.gone
        .find(ticket.id().encoded())
        .map(DepartedColumn.Departure::evicted)
        .map(words -> new Renewal.Gone(Renewal.Cause.REVOKED, words))
        .orElse(new Renewal.Gone(Renewal.Cause.UNKNOWN_TICKET, ""));
  }

  Left leave(ResourceRow row, Ticket ticket) {
    TicketRow ticketRow = row.find(ticket.id().encoded());
    if (ticketRow == null) {
      return Left.NOTHING;
    }
    row.takeOut(ticketRow);
    return ticketRow.isIn() ? Left.HOLDING : Left.WAITING;
  }

  /** Keeps a mutex in its place, for another time and under an id that no verb has. */
  boolean settle(ResourceRow row, Ticket ticket, Duration keep) {
    String kept = ticket.id().kept().encoded();
    TicketRow ticketRow = row.find(ticket.id().encoded());
    if (ticketRow == null || !ticketRow.isIn()) {
      return row.find(kept) != null;
    }
    if (keep.isNegative() || keep.isZero()) {
      row.takeOut(ticketRow);
      return true;
    }
    ticketRow.ticket = kept;
    ticketRow.lease = Micros.of(keep);
    ticketRow.expires = row.now + ticketRow.lease;
    ticketRow.revoked = null;
    ticketRow.changed = true;
    return true;
  }

  boolean resize(ResourceRow row, Ticket ticket) throws Refused {
    if (!row.isInUse()) {
      return false;
    }
    if (row.ticketRows.isEmpty() || row.shape().kind() != Shape.Kind.SEMAPHORE) {
      throw refusals.shape(ticket, row.shape());
    }
    row.capacity = ticket.shape().capacity();
    row.changed = true;
    row.roomier = true;
    return true;
  }
}
