package io.holdfast.redis.verbs;

import io.holdfast.spi.Ticket;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Tokens whose grants are being undone, by ticket. Thread-safe.
 *
 * <p>An undo may take effect at any time. Until its outcome is known, the next attempt of the
 * ticket carries the token, and the store grants it another one.
 */
public final class RevertedTokens {

  /** The argument of an attempt for which there is no such token. */
  private static final String NONE = "-";

  private record Entry(long token, long end) {}

  private final ConcurrentHashMap<Ticket.Id, Entry> entries = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;

  /** Creates an empty table. */
  public RevertedTokens(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Returns the token that this ticket must not be granted again, as an argument. */
  String argument(Ticket ticket) {
    Entry entry = entries.isEmpty() ? null : entries.get(ticket.id());
    return entry == null ? NONE : Long.toString(entry.token);
  }

  /** Adds a token before its undo is sent. Kept for longer than the store has the token. */
  void begin(Ticket ticket, long token) {
    long now = nanoTime.getAsLong();
    entries.values().removeIf(entry -> entry.end - now < 0);
    entries.put(ticket.id(), new Entry(token, now + 2 * ticket.lease().toNanos()));
  }

  /** Removes a token: no undo of it is under way any more. */
  void end(Ticket ticket, long token) {
    entries.computeIfPresent(ticket.id(), (id, entry) -> entry.token == token ? null : entry);
  }
}
