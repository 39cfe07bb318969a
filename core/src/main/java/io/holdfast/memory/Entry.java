package io.holdfast.memory;

import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import org.jspecify.annotations.Nullable;

/** A ticket that stands in a line. Guarded by the lock of its line. */
final class Entry {

  private static final Wake NOBODY = () -> {};

  /** As the latest attempt brought it. */
  Ticket ticket;

  /** When the store forgets it; changed through {@link Entries#keep} alone. */
  long expiry;

  /** What it takes of the capacity; changed through {@link Entries#resize} alone. */
  int weight;

  /** The token of its grant, 0 while it waits. */
  long token;

  /** Whom to call when it is worth asking again. */
  Wake wake = NOBODY;

  /**
   * It was called in: there is room for it, and nobody who comes later gets that room. Only lines
   * that keep an order call in; see {@link MemoryLine}.
   */
  boolean called;

  /** An operator's words, once it was asked to go. */
  @Nullable String revoked;

  final long place;
  final long joined;

  Entry(Ticket ticket, long place, long now) {
    this.ticket = ticket;
    this.weight = ticket.weight();
    this.expiry = now + Nanos.of(ticket.lease());
    this.place = place;
    this.joined = now;
  }

  void granted(long minted) {
    token = minted;
    // The wake may hold on to the whole acquire of a caller who has long gone on.
    wake = NOBODY;
  }
}
