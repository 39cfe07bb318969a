package io.holdfast.etcd;

import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The leases of a client: one for each length in whole seconds, one for fixed leases of that
 * length, one for tombstones, and those that heads hang on.
 */
final class Sessions {

  private record Kind(long seconds, boolean fixed) {}

  private final Map<Kind, Session> sessions = new ConcurrentHashMap<>();
  private final Map<Long, Graves> graves = new ConcurrentHashMap<>();
  private final Heads heads;
  private final LongSupplier nanoTime;
  private final LongSupplier epochMicros;

  /** A lease that ends by itself; what hangs on it is remembered for one lease at least. */
  private record Graves(long lease, long until) {}

  Sessions(LongSupplier nanoTime, LongSupplier epochMicros) {
    this.heads = new Heads(nanoTime);
    this.nanoTime = nanoTime;
    this.epochMicros = epochMicros;
  }

  /** The leases of the heads of lines. */
  Heads heads() {
    return heads;
  }

  /** The session of tickets with such a lease. */
  Session of(Ticket ticket) {
    return sessions.computeIfAbsent(
        new Kind(seconds(ticket.lease()), ticket.fixed()),
        kind -> new Session(ticket.lease(), kind.fixed(), nanoTime, epochMicros));
  }

  /** A lease that nobody keeps and that lasts as long as asked for, or half as long again. */
  long grave(Wire wire, Duration lease) throws EngineException {
    long seconds = seconds(lease);
    long now = nanoTime.getAsLong();
    Graves known = graves.get(seconds);
    if (known != null && known.until - now > 0) {
      return known.lease;
    }
    long spare = Math.max(1, seconds / 2);
    long made = wire.grant(seconds + spare).getID();
    graves.put(seconds, new Graves(made, now + Duration.ofSeconds(spare).toNanos()));
    return made;
  }

  /** A transaction met a lease that is over: all are looked at again. */
  void doubt() {
    graves.clear();
    heads.doubt();
    sessions.values().forEach(Session::doubt);
  }

  /** The leases that tickets of this client hang on now. */
  List<Long> leases() {
    return sessions.values().stream().map(Session::id).filter(id -> id != 0).toList();
  }

  /** Whether the lease is one that tickets of this client hang on now. */
  boolean has(long lease) {
    return sessions.values().stream().anyMatch(session -> session.id() == lease);
  }

  /**
   * Ends all leases that tickets hang on; those of tombstones end by themselves. Blocks for I/O,
   * and gives up at the first that is not answered: they too end by themselves then.
   */
  void revoke(Wire wire) throws EngineException {
    for (Session session : sessions.values()) {
      session.revoke(wire);
    }
  }

  private static long seconds(Duration lease) {
    return Math.max(1, lease.plusNanos(999_999_999).toSeconds());
  }
}
