package io.holdfast.jdbc.table;

import org.jspecify.annotations.Nullable;

/** A ticket in a line: a row of the table of tickets. */
final class Seat {

  final long place;
  final String ticket;
  final long joined;
  final String owner;

  /** Whether the database has a row for it. */
  final boolean stored;

  int weight;

  /** 0 while it waits. */
  long token;

  long lease;
  long expires;
  @Nullable String revoked;

  /** Whether the row is to be written. */
  boolean changed;

  Seat(long place, String ticket, long joined, String owner, boolean stored) {
    this.place = place;
    this.ticket = ticket;
    this.joined = joined;
    this.owner = owner;
    this.stored = stored;
  }

  boolean isIn() {
    return token != 0;
  }
}
