package io.holdfast.redis.redlock;

import io.holdfast.spi.Ticket;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * This client's tickets, from their first attempt until they leave or are gone.
 *
 * <p>Thread-safe, with one verb of a ticket at a time. A ticket that has not been used for longer
 * than any master keeps it is dropped: its owner gave up while too few masters replied.
 */
public final class RedlockTicketTable {

  /**
   * The state of a ticket.
   *
   * @param ballot what it was granted with, 0 if it waits, -1 if nothing is known of it
   * @param validUntil by {@code nanoTime}: how long it counts as granted or waiting
   * @param doubt whether an attempt may still be on its way to a master
   * @param tried the highest ballot that was requested and undone; the undo may still be on its
   *     way, so this ballot and lower ones are never used again
   * @param found the masters that a leave has found it at, one bit each
   * @param splits how often in a row no ticket had a majority
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

  private static final long SPARE = 10_000_000_000L;
  private static final long PAUSE = 1_000_000_000L;

  private record Entry(Known known, long end) {}

  private final ConcurrentHashMap<Ticket.Id, Entry> tickets = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;
  private final AtomicLong sweptAt;

  public RedlockTicketTable(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.sweptAt = new AtomicLong(nanoTime.getAsLong());
  }

  Known of(Ticket ticket) {
    Entry entry = tickets.get(ticket.id());
    return entry == null ? Known.NOTHING : entry.known;
  }

  /** Keeps it for two leases, or while it is valid, and then a little longer for a late leave. */
  void set(Ticket ticket, Known known) {
    long now = nanoTime.getAsLong();
    sweep(now);
    long valid = known.isGranted() ? known.validUntil - now : 0;
    long life = Math.max(2 * ticket.lease().toNanos(), valid);
    tickets.put(ticket.id(), new Entry(known, now + life + SPARE));
  }

  void forget(Ticket ticket) {
    tickets.remove(ticket.id());
  }

  public int size() {
    return tickets.size();
  }

  private void sweep(long now) {
    long last = sweptAt.get();
    if (now - last >= PAUSE && sweptAt.compareAndSet(last, now)) {
      tickets.values().removeIf(entry -> entry.end - now < 0);
    }
  }
}
