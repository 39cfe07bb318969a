package io.holdfast.etcd.session;

import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.support.LeaseClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * All leases of this client: for tickets, tombstones and capacities.
 *
 * <p>Tickets share one lease for each length in whole seconds; fixed leases of that length share
 * another.
 */
public final class LeaseRegistry {

  private record Kind(long seconds, boolean fixed) {}

  /** A lease that ends by itself; tombstones under it last for one ticket lease at least. */
  private record TombstoneLease(long id, long usableUntil) {}

  private final Map<Kind, SharedLease> shared = new ConcurrentHashMap<>();
  private final Map<Long, TombstoneLease> tombstones = new ConcurrentHashMap<>();
  private final CapacityLeases capacities;
  private final LeaseClock clock;

  /** Leases counted on these clocks; none is made yet. */
  public LeaseRegistry(LongSupplier nanoTime, LongSupplier epochMicros) {
    this.capacities = new CapacityLeases(nanoTime);
    this.clock = new LeaseClock(nanoTime, epochMicros);
  }

  /** The leases of the capacities of semaphores. */
  public CapacityLeases capacities() {
    return capacities;
  }

  /** The lease of tickets like this one. */
  public SharedLease of(Ticket ticket) {
    return shared.computeIfAbsent(
        new Kind(seconds(ticket.lease()), ticket.fixed()),
        kind -> new SharedLease(ticket.lease(), kind.fixed(), clock));
  }

  /** A lease that is never kept, and lasts as long as asked for or half as long again. */
  public long tombstoneLease(EtcdConnection connection, Duration lease) throws EngineException {
    long seconds = seconds(lease);
    long now = clock.nanoTime();
    TombstoneLease known = tombstones.get(seconds);
    if (known != null && known.usableUntil - now > 0) {
      return known.id;
    }
    long spare = Math.max(1, seconds / 2);
    long made = connection.grant(seconds + spare).getID();
    tombstones.put(seconds, new TombstoneLease(made, now + Duration.ofSeconds(spare).toNanos()));
    return made;
  }

  /** A transaction met a lease that is over: all leases are kept again before they are used. */
  public void doubt() {
    tombstones.clear();
    capacities.doubt();
    shared.values().forEach(SharedLease::doubt);
  }

  /** The leases that tickets of this client are attached to now. */
  public List<Long> ids() {
    return shared.values().stream().map(SharedLease::id).filter(id -> id != 0).toList();
  }

  /** Whether tickets of this client are attached to that lease now. */
  public boolean has(long id) {
    return shared.values().stream().anyMatch(lease -> lease.id() == id);
  }

  /**
   * Ends all leases of tickets; those of tombstones end by themselves. Blocks for I/O, and gives up
   * at the first failure: then the others end by themselves too.
   */
  public void revoke(EtcdConnection connection) throws EngineException {
    for (SharedLease lease : shared.values()) {
      lease.revoke(connection);
    }
  }

  /** A lease in whole seconds, rounded up. */
  static long seconds(Duration lease) {
    return Math.max(1, lease.plusNanos(999_999_999).toSeconds());
  }
}
