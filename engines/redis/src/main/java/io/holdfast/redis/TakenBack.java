package io.holdfast.redis;

import io.holdfast.spi.Ticket;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Tokens that are being taken back, which may take effect at any time. Until that is known to be
 * over, the next attempt of the ticket says so, and the store gives it another token. Any thread
 * may use it.
 */
final class TakenBack {

  /** What an attempt says when there is no such token. */
  static final String NONE = "-";

  private record Entry(long token, long end) {}

  private final ConcurrentHashMap<Ticket.Id, Entry> entries = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;

  TakenBack(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** The token that this ticket must not be given again, as a word for the store. */
  String word(Ticket ticket) {
    Entry entry = entries.isEmpty() ? null : entries.get(ticket.id());
    return entry == null ? NONE : Long.toString(entry.token);
  }

  /** Is about to be taken back. Remembered for longer than the store has the token. */
  void begins(Ticket ticket, long token) {
    long now = nanoTime.getAsLong();
    entries.values().removeIf(entry -> entry.end - now < 0);
    entries.put(ticket.id(), new Entry(token, now + 2 * ticket.lease().toNanos()));
  }

  /** Is surely not being taken back any more. */
  void ends(Ticket ticket, long token) {
    entries.computeIfPresent(ticket.id(), (id, entry) -> entry.token == token ? null : entry);
  }
}
