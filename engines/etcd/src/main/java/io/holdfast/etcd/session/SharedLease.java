package io.holdfast.etcd.session;

import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.support.LeaseClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The etcd lease that all tickets of one lease length share.
 *
 * <p>Verbs keep it alive: an attempt or a renewal sends a keep-alive, unless one was sent a moment
 * ago. A client without tickets lets it end.
 *
 * <p>Tickets with fixed leases share a lease that is never kept: after a moment another one is made
 * for later tickets. So after a crash such a ticket does not outlive its time, whatever else its
 * client has kept. Waiters move to the newer lease.
 *
 * <p>Why a holder may believe in it: the time is counted from before the keep-alive was sent. A
 * keep-alive counts only if a transaction ordered after it succeeds in the same term: a leader that
 * was voted out, and does not know it yet, keeps leases that its successor ends; but it cannot
 * order a transaction, and its successor has a higher term. Lanes that keep and confirm at the same
 * time do not mix: each confirms the very keep-alive that its transaction followed, and only what
 * was confirmed is believed.
 *
 * <p>The clock that counts the time may have stopped while the host was suspended. The wall clock
 * shows that: an earlier keep-alive does not count as recent then, and lasts for that much less.
 */
public final class SharedLease {

  /**
   * A successful keep-alive, or the grant of the lease.
   *
   * @param lease that was kept; 0 for none
   * @param sent when the call was sent
   * @param nanos how long the lease lasts from then on
   * @param term of the leader that kept it
   * @param doubts how often the lease had been doubted when the call was sent
   */
  public record KeepAlive(long lease, LeaseClock.Moment sent, long nanos, long term, long doubts) {

    /** None yet, or the lease is over. */
    public static final KeepAlive NONE = new KeepAlive(0, new LeaseClock.Moment(0, 0), 0, 0, 0);

    /** Returns the other one if it was sent later or at the same time, else this one. */
    KeepAlive later(KeepAlive other) {
      return lease == 0 || !sent.isAfter(other.sent) ? other : this;
    }
  }

  /** A lease that was kept within this part of its time is not kept again. */
  private static final int FRESH = 6;

  /** A suspension of less than this part of a lease is within the safety margin. */
  private static final int NEGLIGIBLE = 100;

  private static final int TRIES = 3;

  private final long seconds;
  private final boolean fixed;
  private final LeaseClock clock;

  /** How often the lease was doubted: it is kept again after each time. */
  private final AtomicLong doubts = new AtomicLong();

  private volatile KeepAlive kept = KeepAlive.NONE;

  /** The latest keep-alive that a transaction has confirmed. */
  private volatile KeepAlive confirmed = KeepAlive.NONE;

  public SharedLease(Duration lease, boolean fixed, LeaseClock clock) {
    this.fixed = fixed;
    this.seconds = LeaseRegistry.seconds(lease);
    this.clock = clock;
  }

  /** The id of the lease; 0 if there is none. */
  public long id() {
    return kept.lease();
  }

  /**
   * The id of the lease to attach a ticket to.
   *
   * @throws EngineException if it has ended: a key without a lease would stay for ever
   */
  public long require() throws EngineException {
    long now = id();
    if (now == 0) {
      throw new EngineException.NotDone("the lease of this client has ended", null);
    }
    return now;
  }

  /**
   * Makes the lease if there is none, or sends a keep-alive if it is due. Blocks for its own I/O
   * but never for that of another lane: a call that hangs must not cost the holds that other lanes
   * renew. So two lanes may keep it at once, and if two make it at once, the second one is left to
   * end.
   *
   * @return the latest keep-alive, for {@link #confirm}
   */
  public KeepAlive keep(EtcdConnection connection) throws EngineException {
    KeepAlive last = kept;
    if (isFresh(last)) {
      return last;
    }
    KeepAlive again =
        fixed || last.lease() == 0 ? KeepAlive.NONE : keepAlive(connection, last.lease());
    return again.lease() == 0 ? make(connection) : again;
  }

  private KeepAlive make(EtcdConnection connection) throws EngineException {
    long before = doubts.get();
    LeaseClock.Moment sent = clock.now();
    LeaseGrantResponse made = connection.grant(seconds);
    KeepAlive fresh =
        keepAlive(made.getID(), sent, made.getTTL(), made.getHeader().getRaftTerm(), before);
    synchronized (this) {
      if (kept.lease() == 0 || (fixed && !isFresh(kept))) {
        kept = fresh;
      }
      return kept;
    }
  }

  private boolean isFresh(KeepAlive last) {
    long now = clock.nanoTime();
    return last.lease() != 0
        && last.doubts() == doubts.get()
        && clock.suspendedNanosSince(last.sent(), now) <= last.nanos() / NEGLIGIBLE
        && now - last.sent().nanos() < last.nanos() / FRESH;
  }

  /** Whether the lease was kept a moment ago, and a later transaction has confirmed that. */
  public boolean isFreshAndConfirmed() {
    KeepAlive last = kept;
    return isFresh(last) && last.equals(confirmed);
  }

  /** Whether the keep-alive that was confirmed last was one of that lease. */
  public boolean hasConfirmed(long lease) {
    return confirmed.lease() == lease;
  }

  /** Sends a keep-alive; returns the latest one of the lease that is used now, or none. */
  private KeepAlive keepAlive(EtcdConnection connection, long lease) throws EngineException {
    long before = doubts.get();
    LeaseClock.Moment sent = clock.now();
    LeaseKeepAliveResponse reply = connection.keepAlive(lease);
    KeepAlive fresh =
        keepAlive(lease, sent, reply.getTTL(), reply.getHeader().getRaftTerm(), before);
    synchronized (this) {
      if (kept.lease() == lease) {
        kept = reply.getTTL() <= 0 ? KeepAlive.NONE : kept.later(fresh);
      }
      return kept;
    }
  }

  private static KeepAlive keepAlive(
      long lease, LeaseClock.Moment sent, long ttl, long term, long doubts) {
    return new KeepAlive(lease, sent, Duration.ofSeconds(ttl).toNanos(), term, doubts);
  }

  /**
   * Confirms a keep-alive by a transaction that has succeeded in that term. If the lease was kept
   * in another term, it is kept again, and a read after that confirms it.
   *
   * @param before what {@link #keep} returned before the transaction was sent
   * @throws EngineException if the lease is over, or that could not be found out
   */
  public void confirm(EtcdConnection connection, long inTerm, KeepAlive before)
      throws EngineException {
    if (before.term() == inTerm) {
      recordConfirmed(before);
      return;
    }
    long lease = before.lease();
    for (int i = 0; i < TRIES && id() == lease; i++) {
      KeepAlive again = keepAlive(connection, lease);
      if (again.lease() == lease && again.term() == connection.term()) {
        recordConfirmed(again);
        return;
      }
    }
    throw new EngineException.Unknown("the lease ended while the leader changed", null);
  }

  private synchronized void recordConfirmed(KeepAlive which) {
    confirmed = confirmed.later(which);
  }

  /**
   * Some transaction met a lease that is over, perhaps this one: it is kept before its next use.
   */
  public void doubt() {
    doubts.incrementAndGet();
  }

  /** That lease is over in the store, even if its keep-alives succeed. */
  public synchronized void lost(long which) {
    if (id() == which) {
      kept = KeepAlive.NONE;
    }
  }

  /** Ends the lease in the store, with all keys attached to it. Blocks for I/O. */
  public void revoke(EtcdConnection connection) throws EngineException {
    long lease = id();
    if (lease != 0) {
      connection.revoke(lease);
      lost(lease);
    }
  }

  /**
   * How long a ticket attached to that lease is kept, counted from an earlier time: zero if another
   * lease was confirmed last.
   */
  public Duration validFor(long lease, Duration asked, long start) {
    KeepAlive last = confirmed;
    if (last.lease() != lease) {
      return Duration.ZERO;
    }
    long end = last.sent().nanos() + last.nanos() - clock.suspendedNanosSince(last.sent());
    Duration left = Duration.ofNanos(Math.max(0, end - start));
    return left.compareTo(asked) < 0 ? left : asked;
  }
}
