package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.connection.PinnedConnection;
import io.holdfast.jdbc.connection.SqlRunner;
import io.holdfast.spi.Ticket;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** A granted ticket, and the connection whose open transaction has its row locked. */
final class RowHold {

  private final Ticket ticket;
  private final PinnedConnection pinned;
  private final long token;
  private final RowSteps.Place place;
  private final LongSupplier nanoTime;
  private final ReentrantLock use = new ReentrantLock();
  private final AtomicBoolean renewing = new AtomicBoolean();
  private volatile long heardAt;
  private volatile long askedAt;
  private volatile boolean asking;
  private boolean over;

  RowHold(
      Ticket ticket,
      PinnedConnection pinned,
      long token,
      RowSteps.Place place,
      LongSupplier nanoTime) {
    this.ticket = ticket;
    this.pinned = pinned;
    this.token = token;
    this.place = place;
    this.nanoTime = nanoTime;
    this.heardAt = nanoTime.getAsLong();
  }

  Ticket ticket() {
    return ticket;
  }

  PinnedConnection pinned() {
    return pinned;
  }

  long token() {
    return token;
  }

  /**
   * Returns where its row is locked: a reply from another session or transaction is not about it.
   */
  RowSteps.Place place() {
    return place;
  }

  long silentFor() {
    return nanoTime.getAsLong() - heardAt;
  }

  /** Runs in its transaction, after other threads. Empty when the hold is over. */
  <T> Optional<T> call(SqlRunner.Work<T> work) throws SQLException {
    use.lock();
    try {
      return over ? Optional.empty() : Optional.of(speak(work));
    } finally {
      use.unlock();
    }
  }

  /** Runs in its transaction unless another thread does, or it has ended. */
  void callIfIdle(SqlRunner.Work<?> work) throws SQLException {
    if (use.tryLock()) {
      try {
        if (!over) {
          Object ignored = speak(work::run);
        }
      } finally {
        use.unlock();
      }
    }
  }

  private <T> T speak(SqlRunner.Work<T> work) throws SQLException {
    askedAt = nanoTime.getAsLong();
    asking = true;
    try {
      T answer = pinned.call(work);
      heardAt = nanoTime.getAsLong();
      return answer;
    } finally {
      asking = false;
    }
  }

  /** Returns whether a thread has been waiting for a reply for longer than this. */
  boolean hangs(long nanos) {
    return asking && nanoTime.getAsLong() - askedAt > nanos;
  }

  /** Claims the next renewal; if it returns true, the caller must call {@link #endRenewal}. */
  boolean beginRenewal() {
    return renewing.compareAndSet(false, true);
  }

  void endRenewal() {
    renewing.set(false);
  }

  /** Runs the last statement of its transaction and commits it; the hold is over. */
  void end(SqlRunner.Work<?> last) throws SQLException {
    use.lock();
    try {
      over = true;
      Object ignored = pinned.call(last::run);
      pinned.commit();
    } finally {
      use.unlock();
    }
  }

  /** Rolls back its transaction; the hold is over. */
  void undo() {
    use.lock();
    try {
      over = true;
      pinned.rollback();
    } finally {
      use.unlock();
    }
  }
}
