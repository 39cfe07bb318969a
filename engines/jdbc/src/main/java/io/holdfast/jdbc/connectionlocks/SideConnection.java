package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.connection.JdbcStore;
import io.holdfast.jdbc.connection.PinnedConnection;
import io.holdfast.jdbc.connection.SqlRunner;
import io.holdfast.jdbc.dialect.ErrorKind;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.support.RetryDelay;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The connection for statements that commit at once while the row stays locked. Used by one lane.
 */
final class SideConnection implements AutoCloseable {

  private static final int TRIES = 20;

  /** Anywhere between nothing and the full delay: that separates rivals best. */
  private static final RetryDelay PAUSE =
      RetryDelay.steady(Duration.ofMillis(2), () -> ThreadLocalRandom.current().nextDouble())
          .withSpread(1);

  private final JdbcStore store;
  private final ModeTables tables;
  private volatile @Nullable PinnedConnection pinned;
  private volatile boolean closed;

  SideConnection(JdbcStore store, ModeTables tables) {
    this.store = store;
    this.tables = tables;
  }

  /** Connects if needed, and then checks the tables and raises the counter to the clock. */
  PinnedConnection open() throws EngineException {
    PinnedConnection known = pinned;
    if (known != null && !known.isBroken()) {
      return known;
    }
    PinnedConnection fresh = PinnedConnection.open(store);
    boolean ready = false;
    try {
      tables.require(fresh, store);
      ready = !closed;
    } finally {
      if (!ready) {
        fresh.close();
      }
    }
    pinned = fresh;
    return fresh;
  }

  /** Runs a statement, repeatedly if other clients get in its way. */
  <T> T ask(SqlRunner.Work<T> work) throws EngineException {
    for (int tries = 1; ; tries++) {
      try {
        return open().call(work);
      } catch (SQLException e) {
        if (store.dialect().errorKind(e) != ErrorKind.AGAIN || tries == TRIES) {
          throw store.errors().doubt(e);
        }
      }
      store.retries().increment();
      LockSupport.parkNanos(PAUSE.nanosAfter(tries));
    }
  }

  /** May come from another thread. */
  @Override
  public void close() {
    closed = true;
    PinnedConnection known = pinned;
    if (known != null) {
      known.close();
    }
  }
}
