package io.holdfast.etcd;

import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
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
   */
  record Kept(long lease, long at, long wall, long nanos, long term) {

    static final Kept NONE = new Kept(0, 0, 0, 0, 0);

    /** This, or another that was sent later. */
    Kept later(Kept other) {
      return lease == 0 || other.at - at > 0 ? other : this;
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
  private final ReentrantLock lock = new ReentrantLock();
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
   * Makes the lease if there is none, keeps it if that is due. Blocks for I/O.
   *
   * @return the keeping, for {@link #confirm}
   */
  Kept keep(Wire wire) throws EngineException {
    Kept last = kept;
    if (isFresh(last)) {
      return last;
    }
    lock.lock();
    try {
      if (id() != 0 && !isFresh(kept)) {
        if (fixed) {
          kept = Kept.NONE;
        } else {
          extend(wire);
        }
      }
      if (id() == 0) {
        Clocks sent = clocks();
        LeaseGrantResponse made = wire.grant(seconds);
        kept = kept(made.getID(), sent, made.getTTL(), made.getHeader().getRaftTerm());
      }
      return kept;
    } finally {
      lock.unlock();
    }
  }

  private boolean isFresh(Kept last) {
    Clocks now = clocks();
    return last.lease() != 0
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

  private void extend(Wire wire) throws EngineException {
    Clocks sent = clocks();
    LeaseKeepAliveResponse answer = wire.keepAlive(id());
    kept =
        answer.getTTL() <= 0
            ? Kept.NONE
            : kept(id(), sent, answer.getTTL(), answer.getHeader().getRaftTerm());
  }

  private static Kept kept(long lease, Clocks sent, long ttl, long term) {
    return new Kept(lease, sent.steady, sent.wall, Duration.ofSeconds(ttl).toNanos(), term);
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
    lock.lock();
    try {
      for (int i = 0; i < TRIES && id() == before.lease(); i++) {
        extend(wire);
        if (id() != 0 && kept.term() == wire.term(Keys.store(""))) {
          confirmed(kept);
          return;
        }
      }
      throw new EngineException.Unknown("the lease ended while another leader took over", null);
    } finally {
      lock.unlock();
    }
  }

  /** Not under the lock, which is held for as long as others keep the lease. */
  private synchronized void confirmed(Kept which) {
    sure = sure.later(which);
  }

  /** Somebody met a lease that is over, perhaps this: it is kept again before it is used. */
  void doubt() {
    lock.lock();
    try {
      Kept last = kept;
      long over = nanoTime.getAsLong() - last.nanos();
      kept = new Kept(last.lease(), over, last.wall(), last.nanos(), last.term());
    } finally {
      lock.unlock();
    }
  }

  /** The store does not know that lease any more, whatever it says to those who keep it. */
  void lost(long which) {
    lock.lock();
    try {
      if (id() == which) {
        kept = Kept.NONE;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends the lease in the store, if there is one, with all that hangs on it. Blocks for I/O. */
  void revoke(Wire wire) throws EngineException {
    lock.lock();
    try {
      if (id() != 0) {
        wire.revoke(id());
        kept = Kept.NONE;
      }
    } finally {
      lock.unlock();
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
