package io.holdfast.jdbc.row;

import io.holdfast.jdbc.dialect.Trouble;
import io.holdfast.jdbc.kept.Layout;
import io.holdfast.jdbc.wire.Kept;
import io.holdfast.jdbc.wire.Runner;
import io.holdfast.spi.EngineException;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The connection beside those of the rows: what is done here is committed at once, while the row
 * that it is about stays locked. For one lane.
 */
final class SideConnection implements AutoCloseable {

  private static final int TRIES = 20;
  private static final long PAUSE_NANOS = 2_000_000;

  private final Runner.Store store;
  private final Layout layout;
  private volatile @Nullable Kept kept;
  private volatile boolean closed;

  SideConnection(Runner.Store store, Layout layout) {
    this.store = store;
    this.layout = layout;
  }

  /** Connects if need be: the tables are there, and the counter is not behind the clock. */
  Kept open() throws EngineException {
    Kept known = kept;
    if (known != null && !known.isBroken()) {
      return known;
    }
    Kept fresh = Kept.open(store);
    boolean ready = false;
    try {
      layout.require(fresh, store);
      ready = !closed;
    } finally {
      if (!ready) {
        fresh.close();
      }
    }
    kept = fresh;
    return fresh;
  }

  /** Runs a statement, again and again if others get in its way. */
  <T> T ask(Runner.Work<T> work) throws EngineException {
    for (int tries = 1; ; tries++) {
      try {
        return open().call(work);
      } catch (SQLException e) {
        if (store.dialect().trouble(e) != Trouble.AGAIN || tries == TRIES) {
          throw store.words().doubt(e);
        }
      }
      store.retries().increment();
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(PAUSE_NANOS));
    }
  }

  /** May come from another thread. */
  @Override
  public void close() {
    closed = true;
    Kept known = kept;
    if (known != null) {
      known.close();
    }
  }
}
