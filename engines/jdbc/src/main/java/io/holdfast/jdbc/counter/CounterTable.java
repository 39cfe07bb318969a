package io.holdfast.jdbc.counter;

import io.holdfast.jdbc.connection.JdbcStore;
import io.holdfast.jdbc.connection.SqlRunner;
import io.holdfast.jdbc.connection.StoreConfig;
import io.holdfast.jdbc.dialect.ErrorKind;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Resource;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Counters, each in a row of a table that is created at the first use.
 *
 * <p>Callers take turns on one connection, which is opened when needed and kept.
 */
public final class CounterTable implements Counter {

  private final JdbcStore store;
  private final CounterSql sql;
  private final List<String> creates;
  private final boolean create;
  private final boolean forgets;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable SqlRunner runner;
  private volatile boolean closed;
  private boolean own;

  public CounterTable(StoreConfig config) {
    this.creates = List.of(config.dialect().counterTable(config.prefix()));
    this.sql = new CounterSql(config.dialect(), config.prefix());
    this.create = config.create();
    this.forgets = !config.isDurable();
    this.store = config.store(creates);
  }

  @Override
  public long take(Ask ask) throws EngineException {
    SqlRunner.Work<Long> work = connection -> sql.take(connection, ask);
    return run(open -> sql.needsTransaction() ? open.transaction(work) : open.statement(work));
  }

  @Override
  public boolean giveBack(Resource name, long from, long end) throws EngineException {
    return run(open -> open.statement(connection -> sql.giveBack(connection, name, from, end)));
  }

  /**
   * Returns whether the database may lose commits in a crash. A standby that takes over without the
   * last commits does not count, because it cannot be seen from here: with such a standby, ask for
   * counters that follow the clock.
   */
  @Override
  public boolean forgets() {
    return forgets;
  }

  private interface Errand<T> {
    T run(SqlRunner open) throws EngineException;
  }

  private <T> T run(Errand<T> errand) throws EngineException {
    lock.lock();
    try {
      SqlRunner open = open();
      try {
        return errand.run(open);
      } catch (EngineException.Refused e) {
        if (!create || !isMissing(e)) {
          throw e;
        }
        makeTable(open);
        return errand.run(open);
      }
    } finally {
      lock.unlock();
    }
  }

  private SqlRunner open() throws EngineException {
    SqlRunner open = runner;
    if (open == null) {
      open = new SqlRunner(store);
      runner = open;
    }
    if (closed) {
      open.close();
      throw new Refusals(store.errors().address()).closed();
    }
    if (!own) {
      // A block that is taken in a foreign transaction returns when that is rolled back.
      open.requireOwn();
      own = true;
    }
    try {
      open.connect().execute(sql.settings());
    } catch (SQLException e) {
      throw store.errors().failure(e);
    }
    return open;
  }

  private boolean isMissing(EngineException.Refused e) {
    return e.getCause() instanceof SQLException cause
        && store.dialect().errorKind(cause) == ErrorKind.NO_TABLE;
  }

  /**
   * Two clients that create at once get in each other's way: the next try sees whether it exists.
   */
  private void makeTable(SqlRunner open) {
    try {
      open.statement(
          connection -> {
            connection.execute(creates);
            return true;
          });
    } catch (EngineException e) {
      // The next try fails in the same way and reports it, with the statement to run by hand.
      return;
    }
  }

  /** Breaks off a call that is under way. */
  public void close() {
    closed = true;
    SqlRunner open = runner;
    if (open != null) {
      open.close();
    }
    store.opener().close();
  }
}
