package io.holdfast.jdbc;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.Trouble;
import io.holdfast.jdbc.wire.Connector;
import io.holdfast.jdbc.wire.Runner;
import io.holdfast.jdbc.wire.Words;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Resource;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Counters: a row each, in a table of their own, which is made when the first one is used. Callers
 * take turns on one connection; it is opened when it is needed and kept.
 */
final class CounterTable implements Counter {

  private final Runner.Store store;
  private final CounterSql sql;
  private final List<String> creates;
  private final boolean create;
  private final boolean forgets;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Runner runner;
  private volatile boolean closed;
  private boolean own;

  CounterTable(JdbcOptions options, Dialect dialect, Connector connector, Settings settings) {
    this.creates = List.of(dialect.counterTable(options.prefix()));
    this.sql = new CounterSql(dialect, options.prefix());
    this.create = options.create();
    this.forgets = !dialect.isDurable(options.url());
    this.store =
        new Runner.Store(
            connector,
            dialect,
            new Words(dialect, options.address(), creates),
            settings.operationTimeout(),
            settings.nanoTime(),
            new LongAdder());
  }

  @Override
  public long take(Ask ask) throws EngineException {
    Runner.Work<Long> work = link -> sql.take(link, ask);
    return run(open -> sql.needsTransaction() ? open.transaction(work) : open.statement(work));
  }

  @Override
  public boolean giveBack(Resource name, long from, long end) throws EngineException {
    return run(open -> open.statement(link -> sql.giveBack(link, name, from, end)));
  }

  /**
   * What the database itself may lose in a crash. A standby that takes over without the last
   * commits is not counted, as it cannot be seen from here, and numbers that begin at 1 are what
   * databases are chosen for: who has such a standby asks for the clock.
   */
  @Override
  public boolean forgets() {
    return forgets;
  }

  private interface Errand<T> {
    T run(Runner open) throws EngineException;
  }

  private <T> T run(Errand<T> errand) throws EngineException {
    lock.lock();
    try {
      Runner open = open();
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

  private Runner open() throws EngineException {
    Runner open = runner;
    if (open == null) {
      open = new Runner(store);
      runner = open;
    }
    if (closed) {
      open.close();
      throw new Refusals(store.words().address()).closed();
    }
    if (!own) {
      // A block that is taken in somebody's transaction comes back when that is rolled back.
      open.requireOwn();
      own = true;
    }
    try {
      open.connect().execute(sql.settings());
    } catch (SQLException e) {
      throw store.words().failure(e);
    }
    return open;
  }

  private boolean isMissing(EngineException.Refused e) {
    return e.getCause() instanceof SQLException cause
        && store.dialect().trouble(cause) == Trouble.NO_TABLE;
  }

  /** Two that create at once get in each other's way: whether it is there, the errand will see. */
  private void makeTable(Runner open) {
    try {
      open.statement(
          link -> {
            link.execute(creates);
            return true;
          });
    } catch (EngineException e) {
      // The errand meets the same trouble and says so, with the statement to run by hand.
      return;
    }
  }

  /** Breaks off a call that is under way. */
  void close() {
    closed = true;
    Runner open = runner;
    if (open != null) {
      open.close();
    }
    store.links().close();
  }
}
