package io.holdfast.zookeeper;

import io.holdfast.spi.Ticket;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Tickets that went, each remembered for a while: in this process, as their verbs all pass through
 * the one client whose session they live on. Safe for several threads.
 */
final class Departed {

  private static final long SWEEP_NANOS = 1_000_000_000L;

  private final LongSupplier nanoTime;
  private final long keepNanos;
  private final ConcurrentHashMap<Ticket.Id, Long> until = new ConcurrentHashMap<>();
  private final AtomicLong sweptAt;

  Departed(LongSupplier nanoTime, long keepNanos) {
    this.nanoTime = nanoTime;
    this.keepNanos = keepNanos;
    this.sweptAt = new AtomicLong(nanoTime.getAsLong());
  }

  void add(Ticket.Id id) {
    long now = nanoTime.getAsLong();
    long last = sweptAt.get();
    if (now - last >= SWEEP_NANOS && sweptAt.compareAndSet(last, now)) {
      until.values().removeIf(end -> end - now <= 0);
    }
    until.put(id, now + keepNanos);
  }

  boolean contains(Ticket.Id id) {
    Long end = until.get(id);
    return end != null && end - nanoTime.getAsLong() > 0;
  }
}
