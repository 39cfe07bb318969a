package io.holdfast.jdbc.kept;

import io.holdfast.spi.Ticket;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Tickets that went, each remembered for a while: in this process, as their verbs all pass through
 * the one client whose connection they live on. Safe for several threads.
 */
public final class Departed {

  private static final long SWEEP_NANOS = 1_000_000_000L;

  private final LongSupplier nanoTime;
  private final long keepNanos;
  private final ConcurrentHashMap<Ticket.Id, Long> until = new ConcurrentHashMap<>();
  private final AtomicLong sweptAt;

  /**
   * An empty memory.
   *
   * @param keepNanos for how long each is remembered
   */
  public Departed(LongSupplier nanoTime, long keepNanos) {
    this.nanoTime = nanoTime;
    this.keepNanos = keepNanos;
    this.sweptAt = new AtomicLong(nanoTime.getAsLong());
  }

  /** It went. */
  public void add(Ticket.Id id) {
    long now = nanoTime.getAsLong();
    sweep(now);
    until.put(id, now + keepNanos);
  }

  /** Whether it went lately. */
  public boolean contains(Ticket.Id id) {
    Long end = until.get(id);
    return end != null && end - nanoTime.getAsLong() > 0;
  }

  /** Forgets it; answers whether it was remembered. */
  public boolean remove(Ticket.Id id) {
    Long end = until.remove(id);
    return end != null && end - nanoTime.getAsLong() > 0;
  }

  private void sweep(long now) {
    long last = sweptAt.get();
    if (now - last >= SWEEP_NANOS && sweptAt.compareAndSet(last, now)) {
      until.values().removeIf(end -> end - now <= 0);
    }
  }
}
