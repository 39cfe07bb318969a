package io.holdfast.etcd.session;

import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.etcd.layout.HeadRecord;
import io.holdfast.etcd.layout.Keys;
import io.holdfast.etcd.layout.LineSnapshot;
import io.holdfast.etcd.layout.Ops;
import io.holdfast.etcd.layout.TicketRecord;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The leases of the capacities of semaphores, so that none outlives its line for long.
 *
 * <p>The ticket that opens a line attaches the capacity to a lease of its client, twice as long as
 * its own. All clients with tickets in that line keep it, whichever client made it. It is not
 * revoked when a client is closed: others may be in line.
 *
 * <p>A capacity outlives all tickets of its line: it is kept with the verbs that keep those, for
 * half as long again at least. If its lease is too short for a ticket, the client of that ticket
 * attaches it to a lease of its own. If it is lost nevertheless, whoever reads the line writes it
 * again, as the tickets state it.
 *
 * <p>Safe for use by several threads.
 */
public final class CapacityLeases {

  private record Kept(long at, Duration time) {

    boolean outlives(Duration lease) {
      return time.compareTo(lease.plus(lease.dividedBy(2))) >= 0;
    }
  }

  /** A lease that was kept within this part of a ticket's lease is not kept again. */
  private static final int FRESH = 6;

  /** With more leases than this, all are kept again with the next verbs. */
  private static final int MOST = 1_000;

  private final Map<Long, Kept> kept = new ConcurrentHashMap<>();
  private final Map<Duration, Long> own = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;

  CapacityLeases(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** A lease of this client for a line that a ticket with that lease opens. Blocks for I/O. */
  public long own(EtcdConnection connection, Duration lease) throws EngineException {
    Long known = own.get(lease);
    if (known != null && keepAlive(connection, known, lease)) {
      return known;
    }
    long sent = nanoTime.getAsLong();
    Duration time = lease.multipliedBy(2).plusNanos(999_999_999);
    LeaseGrantResponse made = connection.grant(Math.max(1, time.toSeconds()));
    note(made.getID(), sent, made.getTTL());
    own.put(lease, made.getID());
    return made.getID();
  }

  /**
   * Keeps the capacity of a line that was read. Blocks for I/O.
   *
   * @return what must be written so that the line has a capacity which outlives the ticket; null if
   *     it has, if it needs none, or if the capacity was lost and no ticket states it
   */
  public @Nullable TxnRequest keep(
      EtcdConnection connection, Keys keys, LineSnapshot line, Ticket ticket)
      throws EngineException {
    if (line.capacity().exists()) {
      return keep(connection, keys, line.capacity(), ticket);
    }
    Optional<TicketRecord> witness =
        line.lacksCapacity() ? LineSnapshot.witness(line.tickets()) : Optional.empty();
    return witness.isEmpty() ? null : restore(connection, keys, witness.get(), ticket);
  }

  /**
   * Writes a capacity again that was lost. Blocks for I/O.
   *
   * @param witness a ticket in line that states it
   */
  public TxnRequest restore(
      EtcdConnection connection, Keys keys, TicketRecord witness, Ticket ticket)
      throws EngineException {
    // It may have been lost together with this lease: some servers keep one that is over.
    own.remove(ticket.lease());
    return HeadRecord.restore(keys, witness, own(connection, ticket.lease()));
  }

  private @Nullable TxnRequest keep(
      EtcdConnection connection, Keys keys, HeadRecord.Capacity capacity, Ticket ticket)
      throws EngineException {
    if (capacity.lease() != 0 && keepAlive(connection, capacity.lease(), ticket.lease())) {
      return null;
    }
    return Ops.txn(
        List.of(Ops.writtenAt(keys.head(), capacity.written())),
        List.of(Ops.attach(keys.head(), own(connection, ticket.lease()))),
        List.of());
  }

  private boolean keepAlive(EtcdConnection connection, long id, Duration lease)
      throws EngineException {
    Kept last = kept.get(id);
    long now = nanoTime.getAsLong();
    if (last != null && last.outlives(lease) && now - last.at() < lease.toNanos() / FRESH) {
      return true;
    }
    long left = connection.keepAlive(id).getTTL();
    kept.remove(id);
    return left > 0 && note(id, now, left).outlives(lease);
  }

  private Kept note(long lease, long sent, long seconds) {
    if (kept.size() >= MOST) {
      kept.clear();
    }
    Kept now = new Kept(sent, Duration.ofSeconds(seconds));
    kept.put(lease, now);
    return now;
  }

  /** A transaction met a lease that is over, perhaps one of these: they are not used again. */
  void doubt() {
    own.clear();
    kept.clear();
  }
}
