package io.holdfast.jdbc.kept;

import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Which tickets of this client wait, by resource. One that has not asked for a lease waits no more.
 * Guarded by itself.
 */
public final class WaitingHere {

  private final LongSupplier nanoTime;
  private final long leaseNanos;
  private final Map<Resource, Map<Ticket.Id, Long>> until = new HashMap<>();

  /** Nobody waits yet. */
  public WaitingHere(LongSupplier nanoTime, long leaseNanos) {
    this.nanoTime = nanoTime;
    this.leaseNanos = leaseNanos;
  }

  /** It waits. */
  public synchronized void add(Ticket ticket) {
    until
        .computeIfAbsent(ticket.resource(), resource -> new HashMap<>())
        .put(ticket.id(), nanoTime.getAsLong() + leaseNanos);
  }

  /** It does not wait any more; answers whether it did. */
  public synchronized boolean remove(Ticket ticket) {
    Map<Ticket.Id, Long> all = until.get(ticket.resource());
    boolean waited = all != null && all.remove(ticket.id()) != null;
    if (all != null && all.isEmpty()) {
      until.remove(ticket.resource());
    }
    return waited;
  }

  /** Whether somebody waits for it. */
  public synchronized boolean isWanted(Resource resource) {
    return until.containsKey(resource);
  }

  /** Drops those that have not asked for a lease; answers what nobody waits for any more. */
  public synchronized List<Resource> sweep() {
    long now = nanoTime.getAsLong();
    List<Resource> left = new ArrayList<>();
    until
        .entrySet()
        .removeIf(
            entry -> {
              entry.getValue().values().removeIf(end -> end - now <= 0);
              boolean empty = entry.getValue().isEmpty();
              if (empty) {
                left.add(entry.getKey());
              }
              return empty;
            });
    return left;
  }
}
