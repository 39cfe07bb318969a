package io.holdfast.redis;

import io.holdfast.spi.Ticket;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What this client knows of its tickets, from their first attempt until they leave or are gone. One
 * verb of a ticket at a time, on any thread.
 */
final class RedlockTickets {

  /**
   * A ticket.
   *
   * @param ballot what it was granted with, 0 when it waits, -1 when nothing is known of it
   * @param validUntil by {@code nanoTime}: how long it counts as granted or waiting
   * @param doubt whether an attempt may still be on its way to a master
   * @param tried the highest ballot that was asked with and taken back; the taking back may still
   *     be on its way, so this one and those below it are never used again
   * @param found the masters that a leave has found it at, one bit each
   * @param splits how often in a row nobody had a majority
   */
  record Known(long ballot, long validUntil, boolean doubt, long tried, long found, int splits) {

    static final Known NOTHING = new Known(-1, 0, false, 0, 0, 0);

    boolean isGranted() {
      return ballot > 0;
    }

    boolean isThere() {
      return ballot >= 0;
    }

    Known doubted() {
      return new Known(ballot, validUntil, true, tried, found, splits);
    }

    Known found(long masters) {
      return new Known(ballot, validUntil, doubt, tried, found | masters, splits);
    }
  }

  private final ConcurrentHashMap<Ticket.Id, Known> tickets = new ConcurrentHashMap<>();

  Known of(Ticket ticket) {
    return tickets.getOrDefault(ticket.id(), Known.NOTHING);
  }

  void set(Ticket ticket, Known known) {
    tickets.put(ticket.id(), known);
  }

  void forget(Ticket ticket) {
    tickets.remove(ticket.id());
  }

  int size() {
    return tickets.size();
  }
}
