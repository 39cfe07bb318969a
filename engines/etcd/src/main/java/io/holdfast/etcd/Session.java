package io.holdfast.etcd;

import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The lease that all tickets with leases of one length hang on. It is kept by verbs: who attempts
 * or renews keeps it, if that was not done a moment ago; a client that asks for nothing lets it
 * end.
 *
 * <p>Tickets whose leases are fixed have a session of their own, of which no lease is kept: after a
 * moment another is made for those that come then. So one whose client dies is not in the way for
 * longer than it asked for, whatever else that client has kept. Who waits moves to the new lease.
 *
 * <p>Why its answers can be believed: the time is counted from before the call that kept it was
 * sent. An answer counts only if a transaction that was ordered behind it came from the same term
 * of office: a leader that was voted out, and does not know yet, keeps leases that its successor
 * lets end; but it cannot order a transaction, and a successor has a higher term. What lanes keep
 * and confirm at once does not mix: each confirms the very keeping that it has sent its transaction
 * behind, and only what was confirmed is believed.
 *
 * <p>A host that was suspended may have stopped the clock that the time is counted on. The wall
 * clock shows it: what was kept before that does not count as kept a moment ago, and lasts for as
 * much less.
 */
final class Session {

  /**
   * One time that the lease was kept.
   *
   * @param lease that was kept; 0 when there is none
   * @param at when the call was sent
   * @param wall how far the wall clock was ahead of the steady one then
   * @param nanos how long it lasts from then on
   * @param term of office of who kept it
   * @param doubts how often the lease had been doubted when the call was sent
   */
  record Kept(long lease, long at, long wall, long nanos, long term, long doubts) {

    static final Kept NONE = new Kept(0, 0, 0, 0, 0, 0);

    /** This, or another that was sent later, or at the same time. */
    Kept later(Kept other) {
      return lease == 0 || other.at - at >= 0 ? other : this;
    }
  }

  /** What the steady clock says, and how far the wall clock is ahead of it. */
  private record Clocks(long steady, long wall) {}

  /** A lease that was kept within this part of its time is not kept again. */
  private static final int FRESH = 6;

  /** A host that stood still for less than this part of a lease: less than what belief spares. */
  private static final int STILL = 100;

  private static final int TRIES = 3;

  private final long seconds;
  private final boolean fixed;
  private final LongSupplier nanoTime;
  private final LongSupplier epochMicros;

  /** How often a lease was doubted: what was kept before the last time is kept again. */
  private final AtomicLong doubts = new AtomicLong();

  private volatile Kept kept = Kept.NONE;

  /** What a transaction has confirmed. */
  private volatile Kept sure = Kept.NONE;

  Session(Duration lease, boolean fixed, LongSupplier nanoTime, LongSupplier epochMicros) {
    this.fixed = fixed;
    this.seconds = Math.max(1, lease.plusNanos(999_999_999).toSeconds());
    this.nanoTime = nanoTime;
    this.epochMicros = epochMicros;
  }

  /** The lease; 0 when there is none. */
  long id() {
    return kept.lease();
  }

  /**
   * The lease to hang a ticket on.
   *
   * @throws EngineException when it ended meanwhile: a key without a lease would stay for ever
   */
  long require() throws EngineException {
    long now = id();
    if (now == 0) {
      throw new EngineException.NotDone("the lease of this client ended meanwhile", null);
    }
    return now;
  }

  /**
   * Makes the lease if there is none, keeps it if that is due. Blocks for I/O, and never for that
   * of another lane: a call that hangs costs its own lane, and not the holds that others renew. So
   * two lanes may keep it at once, and of two leases that were made at once the second is left to
   * end.
   *
   * @return the keeping, for {@link #confirm}
   */
  Kept keep(Wire wire) throws EngineException {
    Kept last = kept;
    if (isFresh(last)) {
      return last;
    }
    Kept again = fixed || last.lease() == 0 ? Kept.NONE : extend(wire, last.lease());
    return again.lease() == 0 ? make(wire) : again;
  }

  private Kept make(Wire wire) throws EngineException {
    long before = doubts.get();
    Clocks sent = clocks();
    LeaseGrantResponse made = wire.grant(seconds);
    Kept fresh = kept(made.getID(), sent, made.getTTL(), made.getHeader().getRaftTerm(), before);
    synchronized (this) {
      if (kept.lease() == 0 || (fixed && !isFresh(kept))) {
        kept = fresh;
      }
      return kept;
    }
  }

  private boolean isFresh(Kept last) {
    Clocks now = clocks();
    return last.lease() != 0
        && last.doubts() == doubts.get()
        && now.wall - last.wall() <= last.nanos() / STILL
        && now.steady - last.at() < last.nanos() / FRESH;
  }

  /** Whether the lease was kept a moment ago, and a transaction behind that has confirmed it. */
  boolean isSure() {
    Kept last = kept;
    return isFresh(last) && last.equals(sure);
  }

  /** Whether a transaction has confirmed that lease, and none since another. */
  boolean hasConfirmed(long lease) {
    return sure.lease() == lease;
  }

  /** Keeps that lease; answers the latest keeping of the lease that is used now, or none. */
  private Kept extend(Wire wire, long lease) throws EngineException {
    long before = doubts.get();
    Clocks sent = clocks();
    LeaseKeepAliveResponse answer = wire.keepAlive(lease);
    Kept fresh = kept(lease, sent, answer.getTTL(), answer.getHeader().getRaftTerm(), before);
    synchronized (this) {
      if (kept.lease() == lease) {
        kept = answer.getTTL() <= 0 ? Kept.NONE : kept.later(fresh);
      }
      return kept;
    }
  }

  private static Kept kept(long lease, Clocks sent, long ttl, long term, long doubts) {
    return new Kept(lease, sent.steady, sent.wall, Duration.ofSeconds(ttl).toNanos(), term, doubts);
  }

  private Clocks clocks() {
    long wall = epochMicros.getAsLong() * 1000;
    long steady = nanoTime.getAsLong();
    return new Clocks(steady, wall - steady);
  }

  /**
   * A transaction was answered in that term: if the lease was kept in another, it is kept again,
   * and something is asked behind that.
   *
   * @param before what {@link #keep} answered before the transaction was sent
   * @throws EngineException when the lease is over, or that could not be found out
   */
  void confirm(Wire wire, long inTerm, Kept before) throws EngineException {
    if (before.term() == inTerm) {
      confirmed(before);
      return;
    }
    long lease = before.lease();
    for (int i = 0; i < TRIES && id() == lease; i++) {
      Kept again = extend(wire, lease);
      if (again.lease() == lease && again.term() == wire.term()) {
        confirmed(again);
        return;
      }
    }
    throw new EngineException.Unknown("the lease ended while another leader took over", null);
  }

  private synchronized void confirmed(Kept which) {
    sure = sure.later(which);
  }

  /** Somebody met a lease that is over, perhaps this: it is kept again before it is used. */
  void doubt() {
    doubts.incrementAndGet();
  }

  /** The store does not know that lease any more, whatever it says to those who keep it. */
  synchronized void lost(long which) {
    if (id() == which) {
      kept = Kept.NONE;
    }
  }

  /** Ends the lease in the store, if there is one, with all that hangs on it. Blocks for I/O. */
  void revoke(Wire wire) throws EngineException {
    long lease = id();
    if (lease != 0) {
      wire.revoke(lease);
      lost(lease);
    }
  }

  /**
   * How long a ticket that hangs on that lease is kept, counted from a time before now: not at all
   * when that lease was not confirmed last.
   */
  Duration validFor(long lease, Duration asked, long start) {
    Kept last = sure;
    if (last.lease() != lease) {
      return Duration.ZERO;
    }
    long still = Math.max(0, clocks().wall - last.wall());
    Duration left = Duration.ofNanos(Math.max(0, last.at() + last.nanos() - still - start));
    return left.compareTo(asked) < 0 ? left : asked;
  }
}
