package io.holdfast.jdbc.table.layout;

import org.jspecify.annotations.Nullable;

/** A ticket in a line, stored as a row of the ticket table. */
public final class TicketRow {

  public final long place;
  public final long joined;
  public final String owner;

  /** Whether the database has this row already. */
  final boolean stored;

  public String ticket;
  public int weight;

  /** 0 while it waits. */
  public long token;

  public long lease;
  public long expires;
  public @Nullable String revoked;

  /** Whether the row is to be written. */
  public boolean changed;

  public TicketRow(long place, String ticket, long joined, String owner, boolean stored) {
    this.place = place;
    this.ticket = ticket;
    this.joined = joined;
    this.owner = owner;
    this.stored = stored;
  }

  public boolean isIn() {
    return token != 0;
  }
}
