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
 * <p>Why its answers can be believed: the time is counted from before the call that kept it was
 * sent. An answer counts only if a transaction that was ordered behind it came from the same term
 * of office: a leader that was voted out, and does not know yet, keeps leases that its successor
 * lets end; but it cannot order a transaction, and a successor has a higher term.
 */
final class Session {

  /** A lease that was kept within this part of its time is not kept again. */
  private static final int FRESH = 6;

  private final long seconds;
  private final LongSupplier nanoTime;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile long id;
  private volatile long keptAt;
  private volatile long nanos;
  private volatile long term;

  /** When the lease was kept that a transaction has confirmed. */
  private volatile long sureOf;

  Session(Duration lease, LongSupplier nanoTime) {
    this.seconds = Math.max(1, lease.plusNanos(999_999_999).toSeconds());
    this.nanoTime = nanoTime;
  }

  /** The lease; 0 when there is none. */
  long id() {
    return id;
  }

  /**
   * The lease to hang a ticket on.
   *
   * @throws EngineException when it ended meanwhile: a key without a lease would stay for ever
   */
  long require() throws EngineException {
    long now = id;
    if (now == 0) {
      throw new EngineException.NotDone("the lease of this client ended meanwhile", null);
    }
    return now;
  }

  /**
   * Makes the lease if there is none, keeps it if that is due. Blocks for I/O.
   *
   * @return when it was kept, for {@link #confirm}
   */
  long keep(Wire wire) throws EngineException {
    long at = keptAt;
    if (isFresh()) {
      return at;
    }
    lock.lock();
    try {
      if (id != 0 && !isFresh()) {
        extend(wire);
      }
      if (id == 0) {
        long sent = nanoTime.getAsLong();
        LeaseGrantResponse made = wire.grant(seconds);
        kept(sent, made.getTTL(), made.getHeader().getRaftTerm());
        id = made.getID();
      }
      return keptAt;
    } finally {
      lock.unlock();
    }
  }

  private boolean isFresh() {
    return id != 0 && nanoTime.getAsLong() - keptAt < nanos / FRESH;
  }

  /** Whether the lease was kept a moment ago, and a transaction behind that has confirmed it. */
  boolean isSure() {
    return isFresh() && sureOf == keptAt;
  }

  private void extend(Wire wire) throws EngineException {
    long sent = nanoTime.getAsLong();
    LeaseKeepAliveResponse answer = wire.keepAlive(id);
    if (answer.getTTL() <= 0) {
      id = 0;
    } else {
      kept(sent, answer.getTTL(), answer.getHeader().getRaftTerm());
    }
  }

  private void kept(long sent, long ttl, long inTerm) {
    keptAt = sent;
    nanos = Duration.ofSeconds(ttl).toNanos();
    term = inTerm;
  }

  /**
   * A transaction was answered in that term: if the lease was kept in another, it is kept again.
   *
   * @param at when the lease was kept, as {@link #keep} answered before the transaction was sent
   * @throws EngineException when the lease is over, or that could not be found out
   */
  void confirm(Wire wire, long inTerm, long at) throws EngineException {
    if (term == inTerm) {
      sureOf = at;
      return;
    }
    lock.lock();
    try {
      if (term != inTerm && id != 0) {
        extend(wire);
      }
      if (id == 0) {
        throw new EngineException.Unknown("the lease ended while another leader took over", null);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Somebody met a lease that is over, perhaps this: it is kept again before it is used. */
  void doubt() {
    lock.lock();
    try {
      keptAt = nanoTime.getAsLong() - nanos;
    } finally {
      lock.unlock();
    }
  }

  /** The store does not know that lease any more, whatever it says to those who keep it. */
  void lost(long which) {
    lock.lock();
    try {
      if (id == which) {
        id = 0;
      }
    } finally {
      lock.unlock();
    }
  }

  /** How long a ticket is kept, counted from a time before now. */
  Duration validFor(Duration asked, long start) {
    Duration left = Duration.ofNanos(Math.max(0, keptAt + nanos - start));
    return left.compareTo(asked) < 0 ? left : asked;
  }
}
