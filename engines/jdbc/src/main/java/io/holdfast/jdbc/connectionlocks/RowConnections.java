package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.connection.JdbcStore;
import io.holdfast.jdbc.connection.PinnedConnection;
import io.holdfast.spi.EngineException;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A bounded pool of the connections that hold rows. Thread-safe. */
final class RowConnections {

  /**
   * A connection to use.
   *
   * @param fresh whether it was opened just now; an idle one may have died meanwhile
   */
  record Seat(PinnedConnection pinned, boolean fresh) {}

  private final JdbcStore store;
  private final RowSql sql;
  private final int most;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<PinnedConnection> idle = new ArrayDeque<>();
  private int used;
  private boolean closed;

  RowConnections(JdbcStore store, RowSql sql, int most) {
    this.store = store;
    this.sql = sql;
    this.most = most;
  }

  int most() {
    return most;
  }

  /** Returns a connection, or empty when all are in use; never waits for one. */
  Optional<Seat> take() throws EngineException {
    PinnedConnection known;
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
    PinnedConnection fresh = null;
    boolean ready = false;
    try {
      fresh = PinnedConnection.open(store);
      if (!fresh.isPooled()) {
        fresh.change(sql.changes(), sql.settings());
        fresh.nameSession();
      }
      ready = true;
      return new Seat(fresh, true);
    } catch (SQLException e) {
      throw store.errors().failure(e);
    } finally {
      if (!ready) {
        drop(fresh);
      }
    }
  }

  /** Gives back a connection that is not in a transaction. */
  void giveBack(PinnedConnection pinned) {
    boolean keep = !pinned.isBroken() && !pinned.isCallerSupplied();
    lock.lock();
    try {
      used--;
      keep = keep && !closed;
      if (keep) {
        idle.push(pinned);
      }
    } finally {
      lock.unlock();
    }
    if (!keep) {
      pinned.close();
    }
  }

  /** Ends a connection, and its transaction with it. */
  void drop(@Nullable PinnedConnection pinned) {
    lock.lock();
    try {
      used--;
    } finally {
      lock.unlock();
    }
    if (pinned != null) {
      pinned.breakOff();
    }
  }

  /** Closes idle connections now, and connections in use when they are given back. */
  void close() {
    Deque<PinnedConnection> ended;
    lock.lock();
    try {
      closed = true;
      ended = new ArrayDeque<>(idle);
      idle.clear();
    } finally {
      lock.unlock();
    }
    ended.forEach(PinnedConnection::close);
  }
}
