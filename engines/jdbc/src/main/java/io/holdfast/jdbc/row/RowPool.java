package io.holdfast.jdbc.row;

import io.holdfast.jdbc.wire.Kept;
import io.holdfast.jdbc.wire.Runner;
import io.holdfast.spi.EngineException;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The connections for rows that are held: never more than so many. Safe for several threads. */
final class RowPool {

  /**
   * A connection to use.
   *
   * @param fresh it was opened just now; one that was idle may have died meanwhile
   */
  record Seat(Kept kept, boolean fresh) {}

  private final Runner.Store store;
  private final RowSql sql;
  private final int most;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Kept> idle = new ArrayDeque<>();
  private int used;
  private boolean closed;

  RowPool(Runner.Store store, RowSql sql, int most) {
    this.store = store;
    this.sql = sql;
    this.most = most;
  }

  int most() {
    return most;
  }

  /** A connection, or nothing when all are in use; never waits for one. */
  Optional<Seat> take() throws EngineException {
    Kept known;
    lock.lock();
    try {
      known = idle.poll();
      if (known == null && used >= most) {
        return Optional.empty();
      }
      used++;
    } finally {
      lock.unlock();
    }
    return Optional.of(known == null ? open() : new Seat(known, false));
  }

  private Seat open() throws EngineException {
    Kept fresh = null;
    boolean ready = false;
    try {
      fresh = Kept.open(store);
      if (!fresh.isPooled()) {
        fresh.change(sql.changes(), sql.settings());
        fresh.nameSession();
      }
      ready = true;
      return new Seat(fresh, true);
    } catch (SQLException e) {
      throw store.words().failure(e);
    } finally {
      if (!ready) {
        drop(fresh);
      }
    }
  }

  /** It is not in a transaction any more. */
  void giveBack(Kept kept) {
    boolean keep = !kept.isBroken() && !kept.isLent();
    lock.lock();
    try {
      used--;
      keep = keep && !closed;
      if (keep) {
        idle.push(kept);
      }
    } finally {
      lock.unlock();
    }
    if (!keep) {
      kept.close();
    }
  }

  /** It is of no use any more: with it ends whatever transaction it has. */
  void drop(@Nullable Kept kept) {
    lock.lock();
    try {
      used--;
    } finally {
      lock.unlock();
    }
    if (kept != null) {
      kept.breakOff();
    }
  }

  /** Closes what is idle, and from now on what is given back. */
  void close() {
    Deque<Kept> ended;
    lock.lock();
    try {
      closed = true;
      ended = new ArrayDeque<>(idle);
      idle.clear();
    } finally {
      lock.unlock();
    }
    ended.forEach(Kept::close);
  }
}
