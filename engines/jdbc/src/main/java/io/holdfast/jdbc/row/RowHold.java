package io.holdfast.jdbc.row;

import io.holdfast.jdbc.wire.Kept;
import io.holdfast.jdbc.wire.Runner;
import io.holdfast.spi.Ticket;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** A ticket that is in: the connection whose open transaction has its row locked. */
final class RowHold {

  private final Ticket ticket;
  private final Kept kept;
  private final long token;
  private final RowSteps.Place place;
  private final LongSupplier nanoTime;
  private final ReentrantLock use = new ReentrantLock();
  private final AtomicBoolean renewing = new AtomicBoolean();
  private volatile long heardAt;
  private volatile long askedAt;
  private volatile boolean asking;
  private boolean over;

  RowHold(Ticket ticket, Kept kept, long token, RowSteps.Place place, LongSupplier nanoTime) {
    this.ticket = ticket;
    this.kept = kept;
    this.token = token;
    this.place = place;
    this.nanoTime = nanoTime;
    this.heardAt = nanoTime.getAsLong();
  }

  Ticket ticket() {
    return ticket;
  }

  Kept kept() {
    return kept;
  }

  long token() {
    return token;
  }

  /** Where its row is locked: an answer from elsewhere is not about it. */
  RowSteps.Place place() {
    return place;
  }

  long silentFor() {
    return nanoTime.getAsLong() - heardAt;
  }

  /** Runs in its transaction; waits while another thread does. Empty when the hold is over. */
  <T> Optional<T> call(Runner.Work<T> work) throws SQLException {
    use.lock();
    try {
      return over ? Optional.empty() : Optional.of(speak(work));
    } finally {
      use.unlock();
    }
  }

  /** Runs in its transaction unless another thread does, or it has ended. */
  void callIfIdle(Runner.Work<?> work) throws SQLException {
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

  private <T> T speak(Runner.Work<T> work) throws SQLException {
    askedAt = nanoTime.getAsLong();
    asking = true;
    try {
      T answer = kept.call(work);
      heardAt = nanoTime.getAsLong();
      return answer;
    } finally {
      asking = false;
    }
  }

  /** Whether a thread has been waiting for an answer for longer than this. */
  boolean hangs(long nanos) {
    return asking && nanoTime.getAsLong() - askedAt > nanos;
  }

  /** Whether no other renewal is under way; who is told so must call {@link #endRenewal}. */
  boolean beginRenewal() {
    return renewing.compareAndSet(false, true);
  }

  void endRenewal() {
    renewing.set(false);
  }

  /** Runs the last of its transaction and commits it; nobody uses it for this hold again. */
  void end(Runner.Work<?> last) throws SQLException {
    use.lock();
    try {
      over = true;
      Object ignored = kept.call(last::run);
      kept.commit();
    } finally {
      use.unlock();
    }
  }

  /** Undoes its transaction; nobody uses it for this hold again. */
  void undo() {
    use.lock();
    try {
      over = true;
      kept.rollback();
    } finally {
      use.unlock();
    }
  }
}
