package io.holdfast.spi.support;

import io.holdfast.spi.Ticket;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A memory of the tickets that departed recently. Thread-safe.
 *
 * <p>For engines whose tickets live on a session or a connection of one client. All verbs of such a
 * ticket pass through that client, so it can refuse a late attempt (rule 8) without asking the
 * store. Where another client may send an attempt of the same ticket, the store itself has to
 * remember, and this class is not enough.
 *
 * <p>A ticket is remembered from {@link #add} until the given time has passed. A second {@code add}
 * restarts that time. Expired tickets no longer count at once; their memory is reclaimed by a later
 * {@code add}, at most once a second.
 */
public final class DepartedTickets {

  private static final long SWEEP_NANOS = 1_000_000_000L;

  private final LongSupplier nanoTime;
  private final long keepNanos;
  private final ConcurrentHashMap<Ticket.Id, Long> until = new ConcurrentHashMap<>();
  private final AtomicLong sweptAt;

  /**
   * Creates an empty memory.
   *
   * @param nanoTime a monotonic clock, with any origin
   * @param keepNanos how long each ticket is remembered; rule 8 needs at least one lease
   */
  public DepartedTickets(LongSupplier nanoTime, long keepNanos) {
    this.nanoTime = nanoTime;
    this.keepNanos = keepNanos;
    this.sweptAt = new AtomicLong(nanoTime.getAsLong());
  }

  /** Remembers a ticket from now on. */
  public void add(Ticket.Id id) {
    long now = nanoTime.getAsLong();
    long last = sweptAt.get();
    if (now - last >= SWEEP_NANOS && sweptAt.compareAndSet(last, now)) {
      until.values().removeIf(end -> end - now <= 0);
    }
    until.put(id, now + keepNanos);
  }

  /** Returns whether the ticket departed recently. */
  public boolean contains(Ticket.Id id) {
    return isAhead(until.get(id));
  }

  /** Forgets a ticket, and returns whether it was remembered. */
  public boolean remove(Ticket.Id id) {
    return isAhead(until.remove(id));
  }

  /** Returns the number of tickets that take up memory, expired ones included. */
  public int size() {
    return until.size();
  }

  private boolean isAhead(@Nullable Long end) {
    return end != null && end - nanoTime.getAsLong() > 0;
  }
}
