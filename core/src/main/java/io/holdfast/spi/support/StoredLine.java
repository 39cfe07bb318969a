package io.holdfast.spi.support;

import io.holdfast.spi.Owner;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A line as a store keeps it between two verbs. Immutable.
 *
 * <p>An engine whose lines live in records reads them into a {@code StoredLine}, lets {@link
 * LineRules} work on {@link LineState#of}, and writes the {@link #changesTo} of the result. All
 * times are nanoseconds on the clock of the store.
 *
 * @param shape the shape that the line was opened with, at its present capacity
 * @param lastPlace the highest place that was ever given in this line
 * @param tickets the holders in the order of their grants, then the waiters in the order of their
 *     places
 * @param mark the mark of a finished run, if there is one
 * @param reservation the waiter that the free resource is kept for, if there is one
 */
public record StoredLine(
    Shape shape,
    long lastPlace,
    List<StoredTicket> tickets,
    @Nullable Mark mark,
    @Nullable Reservation reservation) {

  /**
   * A ticket in the line.
   *
   * @param place identifies the ticket within the line and orders it
   * @param joined the time of its first attempt
   * @param lease the lease that the expiry was counted with
   * @param expiry the time at which the store forgets it
   * @param token the token of its grant, 0 while it waits
   * @param revoked the operator's reason if it was revoked
   */
  public record StoredTicket(
      Ticket.Id id,
      Owner owner,
      long place,
      long joined,
      int weight,
      long lease,
      long expiry,
      long token,
      @Nullable String revoked) {}

  /**
   * The mark of a finished run.
   *
   * @param maker the ticket that settled it, which may do so twice
   * @param end the time at which the mark ends
   */
  public record Mark(Ticket.Id maker, long end) {}

  /**
   * A turn that is kept for the first waiter of a line without an order.
   *
   * @param end the time at which the turn lapses
   */
  public record Reservation(Ticket.Id waiter, long end) {}

  /**
   * What a store has to write.
   *
   * @param header whether anything but the tickets changed
   * @param written tickets to insert or to update
   * @param removed tickets to delete, as they were before
   */
  public record Changes(boolean header, List<StoredTicket> written, List<StoredTicket> removed) {

    /** Returns whether there is nothing to write. */
    public boolean isEmpty() {
      return !header && written.isEmpty() && removed.isEmpty();
    }
  }

  public StoredLine {
    tickets = List.copyOf(tickets);
  }

  /** Returns whether the line has no tickets and no mark: a store need not keep it. */
  public boolean isEmpty() {
    return tickets.isEmpty() && mark == null;
  }

  /** Returns what has to be written so that this line becomes the other one. */
  public Changes changesTo(StoredLine after) {
    Map<Long, StoredTicket> before = new HashMap<>();
    tickets.forEach(ticket -> before.put(ticket.place, ticket));
    List<StoredTicket> written = new ArrayList<>();
    for (StoredTicket ticket : after.tickets) {
      if (!ticket.equals(before.remove(ticket.place))) {
        written.add(ticket);
      }
    }
    List<StoredTicket> removed = new ArrayList<>();
    for (StoredTicket ticket : tickets) {
      if (before.containsKey(ticket.place)) {
        removed.add(ticket);
      }
    }
    return new Changes(!header().equals(after.header()), written, removed);
  }

  private StoredLine header() {
    return new StoredLine(shape, lastPlace, List.of(), mark, reservation);
  }
}
