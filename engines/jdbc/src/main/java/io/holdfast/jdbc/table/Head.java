package io.holdfast.jdbc.table;

import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A resource as it was read: its row, and the tickets of its line if it is one. While the row is
 * locked nobody else changes any of it, so that verbs are worked out here, and written at the end.
 */
final class Head {

  /** Stands for several in the column of the one that waits. */
  static final String SEVERAL = "*";

  final Resource resource;

  /** The database's time when the row was read; everything here is in microseconds of it. */
  final long now;

  /** The highest generation that the store has seen, or this transaction. */
  int known;

  /** The highest generation that the store has seen. */
  int raisedFrom;

  String kind = Letters.UNUSED;
  int capacity = 1;

  /** Without an order: who is in, or whose run is done. */
  @Nullable String ticket;

  /** Of the last grant. */
  int generation;

  /** Of the last grant, whoever got it. */
  long counter;

  long lease;
  long expires;
  long joined;
  String owner = "";

  /** Without an order: until when somebody waits, as far as is known. */
  long wantedUntil;

  /** Who waits: a ticket, or {@link #SEVERAL}. */
  String wantedBy = "";

  @Nullable String revoked;
  Gone gone = new Gone();
  long nextPlace;

  /** In the order of their places. */
  final List<Seat> seats = new ArrayList<>();

  /** Rows of tickets that are to be deleted. */
  final List<Seat> left = new ArrayList<>();

  /** Whether the row is to be written. */
  boolean changed;

  /** Whether a line has more room than before. */
  boolean roomier;

  /** Whether all that wait are to be told. */
  boolean calls;

  Head(Resource resource, long now) {
    this.resource = resource;
    this.now = now;
  }

  Shape shape() {
    return Letters.shape(kind, capacity);
  }

  boolean isMarked() {
    return ticket != null && kind.equals(Letters.DONE);
  }

  /** Whether this ticket is in, without an order. */
  boolean isHeldBy(String id) {
    return id.equals(ticket) && !kind.equals(Letters.DONE);
  }

  /** Whether somebody is known to wait, without an order. */
  boolean isWanted() {
    return wantedUntil > now && !Letters.isLine(kind);
  }

  boolean isInUse() {
    return ticket != null || !seats.isEmpty() || isWanted();
  }

  long token() {
    return Token.of(generation, counter);
  }

  /** A new token, above all that this row has given. */
  long mint(int byGeneration) {
    counter = Token.nextCounter(counter, now);
    generation = byGeneration;
    changed = true;
    return token();
  }

  /** Those whose lease has ended are out, however many they are. */
  void dropExpired() {
    if (ticket != null && expires <= now) {
      free();
    }
    for (Seat seat : List.copyOf(seats)) {
      if (seat.expires <= now) {
        takeOut(seat);
      }
    }
  }

  /** Nobody is in, without an order. Does not say that the row is to be written. */
  void free() {
    ticket = null;
    revoked = null;
    expires = 0;
  }

  void forgetWaiting() {
    wantedUntil = 0;
    wantedBy = "";
    changed = true;
  }

  @Nullable Seat find(String id) {
    for (Seat seat : seats) {
      if (seat.ticket.equals(id)) {
        return seat;
      }
    }
    return null;
  }

  void takeOut(Seat seat) {
    seats.remove(seat);
    left.add(seat);
    roomier = true;
  }
}
