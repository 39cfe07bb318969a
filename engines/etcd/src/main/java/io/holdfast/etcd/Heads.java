package io.holdfast.etcd;

import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The leases that the capacities of semaphores hang on, so that none is left when the last one in
 * line has died. Whoever opens a line hangs its head on a lease of its client, twice as long as the
 * ticket's; all that have tickets in that line keep it, whoever's it is. It is not revoked when a
 * client is closed: others may be in line.
 *
 * <p>A head outlives all tickets of its line: it is kept with the verbs that keep those, for half
 * as long again at least. Where its lease is too short for a ticket, that ticket's client hangs it
 * on one of its own.
 *
 * <p>Safe for any number of threads.
 */
final class Heads {

  private record Kept(long at, Duration time) {

    boolean outlives(Duration lease) {
      return time.compareTo(lease.plus(lease.dividedBy(2))) >= 0;
    }
  }

  /** A lease that was kept within this part of a ticket's time is not kept again. */
  private static final int FRESH = 6;

  /** Beyond so many they are all kept again with the next verbs. */
  private static final int MOST = 1_000;

  private final Map<Long, Kept> kept = new ConcurrentHashMap<>();
  private final Map<Duration, Long> own = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;

  Heads(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** A lease of this client for the head of a line that such a ticket opens. Blocks for I/O. */
  long own(Wire wire, Duration lease) throws EngineException {
    Long known = own.get(lease);
    if (known != null && keep(wire, known, lease)) {
      return known;
    }
    long sent = nanoTime.getAsLong();
    Duration time = lease.multipliedBy(2).plusNanos(999_999_999);
    LeaseGrantResponse made = wire.grant(Math.max(1, time.toSeconds()));
    note(made.getID(), sent, made.getTTL());
    own.put(lease, made.getID());
    return made.getID();
  }

  /**
   * Keeps the lease that a head was seen to hang on. Blocks for I/O.
   *
   * @return what must be written so that the head outlives the ticket, or null when it does
   */
  @Nullable TxnRequest care(Wire wire, Keys keys, Head.Size size, Ticket ticket)
      throws EngineException {
    if (size.lease() == 0 || keep(wire, size.lease(), ticket.lease())) {
      return null;
    }
    return Ops.txn(
        List.of(Ops.writtenAt(keys.head(), size.written())),
        List.of(Ops.hang(keys.head(), own(wire, ticket.lease()))),
        List.of());
  }

  private boolean keep(Wire wire, long head, Duration lease) throws EngineException {
    Kept last = kept.get(head);
    long now = nanoTime.getAsLong();
    if (last != null && last.outlives(lease) && now - last.at() < lease.toNanos() / FRESH) {
      return true;
    }
    long left = wire.keepAlive(head).getTTL();
    kept.remove(head);
    return left > 0 && note(head, now, left).outlives(lease);
  }

  private Kept note(long lease, long sent, long seconds) {
    if (kept.size() >= MOST) {
      kept.clear();
    }
    Kept now = new Kept(sent, Duration.ofSeconds(seconds));
    kept.put(lease, now);
    return now;
  }

  /** A transaction met a lease that is over, perhaps one of these: no head is hung on it again. */
  void doubt() {
    own.clear();
    kept.clear();
  }
}
