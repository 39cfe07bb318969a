package io.holdfast.jdbc.table.layout;

import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A resource as it was read: its row, and the tickets of its line.
 *
 * <p>While the row is locked no other client changes any of it, so verbs are applied here and
 * written at the end.
 */
public final class ResourceRow {

  /** Stands for several waiters in the column of the waiter. */
  public static final String SEVERAL = "*";

  public final Resource resource;

  /** The database's time when the row was read; all times here are its microseconds. */
  public final long now;

  /** The highest generation that the store has seen, or this transaction. */
  public int known;

  /** The highest generation that the store has seen. */
  int raisedFrom;

  public String kind = ShapeCode.UNUSED;
  public int capacity = 1;

  /** Without an order: the ticket that holds, or whose run is done. */
  public @Nullable String ticket;

  /** Of the last grant. */
  int generation;

  /** Of the last grant. */
  long counter;

  public long lease;
  public long expires;
  public long joined;
  public String owner = "";

  /** Without an order: until when a waiter is remembered. */
  public long wantedUntil;

  /** The waiter: a ticket, or {@link #SEVERAL}. */
  public String wantedBy = "";

  public @Nullable String revoked;
  public DepartedColumn gone = new DepartedColumn();
  public long nextPlace;

  /** In the order of their places. */
  public final List<TicketRow> ticketRows = new ArrayList<>();

  /** Rows of tickets that are to be deleted. */
  final List<TicketRow> left = new ArrayList<>();

  /** Whether the row is to be written. */
  public boolean changed;

  /** Whether a line has more room than before. */
  public boolean roomier;

  /** Whether all waiters are to be woken. */
  boolean calls;

  public ResourceRow(Resource resource, long now) {
    this.resource = resource;
    this.now = now;
  }

  public Shape shape() {
    return ShapeCode.shape(kind, capacity);
  }

  public boolean isMarked() {
    return ticket != null && kind.equals(ShapeCode.DONE);
  }

  /** Returns whether this ticket holds, without an order. */
  public boolean isHeldBy(String id) {
    return id.equals(ticket) && !kind.equals(ShapeCode.DONE);
  }

  /** Returns whether a waiter is remembered, without an order. */
  public boolean isWanted() {
    return wantedUntil > now && !ShapeCode.isLine(kind);
  }

  public boolean isInUse() {
    return ticket != null || !ticketRows.isEmpty() || isWanted();
  }

  public long token() {
    return Token.of(generation, counter);
  }

  /** Mints a token above all earlier ones of this row. */
  public long mint(int byGeneration) {
    counter = Token.nextCounter(counter, now);
    generation = byGeneration;
    changed = true;
    return token();
  }

  /** Removes the tickets whose lease has ended, however many they are. */
  void dropExpired() {
    if (ticket != null && expires <= now) {
      free();
    }
    for (TicketRow ticketRow : List.copyOf(ticketRows)) {
      if (ticketRow.expires <= now) {
        takeOut(ticketRow);
      }
    }
  }

  /** Removes the holder, without an order. Does not mark the row as changed. */
  public void free() {
    ticket = null;
    revoked = null;
    expires = 0;
  }

  public void forgetWaiting() {
    wantedUntil = 0;
    wantedBy = "";
    changed = true;
  }

  public @Nullable TicketRow find(String id) {
    for (TicketRow ticketRow : ticketRows) {
      if (ticketRow.ticket.equals(id)) {
        return ticketRow;
      }
    }
    return null;
  }

  public void takeOut(TicketRow ticketRow) {
    ticketRows.remove(ticketRow);
    left.add(ticketRow);
    roomier = true;
  }

  /** Frees the row without an order. Waiters are notified and must ask again to be remembered. */
  public void passOn() {
    calls |= isWanted();
    free();
    forgetWaiting();
  }

  /** Returns the places of the waiters in the line for whom there is room now. */
  public List<Long> placesWithRoom() {
    List<Long> places = new ArrayList<>();
    long taken =
        ticketRows.stream().filter(TicketRow::isIn).mapToLong(ticketRow -> ticketRow.weight).sum();
    for (TicketRow ticketRow : ticketRows) {
      if (!ticketRow.isIn()) {
        taken += ticketRow.weight;
        if (taken > capacity) {
          break;
        }
        places.add(ticketRow.place);
      }
    }
    return places;
  }
}
