package io.holdfast.jdbc.table;

import io.holdfast.jdbc.connection.FirstConnection;
import io.holdfast.jdbc.connection.JdbcStore;
import io.holdfast.jdbc.connection.SqlRunner;
import io.holdfast.jdbc.connection.StoreConfig;
import io.holdfast.jdbc.counter.CounterTable;
import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.PostgreSql;
import io.holdfast.jdbc.dialect.Sqlite;
import io.holdfast.jdbc.table.admin.IdleSweeper;
import io.holdfast.jdbc.table.admin.Sweeper;
import io.holdfast.jdbc.table.admin.TableInspector;
import io.holdfast.jdbc.table.layout.TableSetup;
import io.holdfast.jdbc.table.layout.TableSql;
import io.holdfast.jdbc.table.signals.DeletionTriggers;
import io.holdfast.jdbc.table.signals.FileSignals;
import io.holdfast.jdbc.table.signals.LocalSignals;
import io.holdfast.jdbc.table.signals.LockSignals;
import io.holdfast.jdbc.table.signals.NotifySignals;
import io.holdfast.jdbc.table.signals.PgListener;
import io.holdfast.jdbc.table.verbs.FastPath;
import io.holdfast.jdbc.table.verbs.TableLane;
import io.holdfast.jdbc.table.verbs.TransactionPath;
import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineCondition;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.OwnLane;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The engine of the mode table: leases in rows, all primitives, both orders.
 *
 * <p>Verbs go through {@link #lane()}: each lane has a connection of its own, opened by the thread
 * that uses it. Verbs that are called on the engine itself share one more lane and take turns. The
 * engine never joins a transaction of the program, and none of its own transactions outlives a
 * batch.
 */
public final class TableEngine implements BatchEngine {

  /*
   * Why no rival gets in: every grant writes the resource's one row while it has that row locked,
   * and only if no ticket holds it or the holder's lease has ended by the database's own clock. The
   * lease counts from a time that the database read after the verb was sent; the holder counts it
   * from before that, so it stops first. Tickets of a line are rows of their own, which are read
   * and written only with the resource's row locked. Tokens are minted in the transaction that
   * grants, by a counter in the row, which rises with every grant and with the clock.
   *
   * What breaks it: a database that forgets commits (a replica that lacks them takes over; commits
   * that are not flushed) and a database clock that steps forward. Tokens still rise then, unless
   * the clock went back as well by more than the time that was lost.
   */

  private static final int BATCH = 128;

  private final JdbcStore store;
  private final TableSql sql;
  private final boolean create;
  private final TransactionPath transactionPath;
  private final @Nullable FastPath fastPath;
  private final Refusals refusals;
  private final Sweeper sweeper;
  private final IdleSweeper idleSweeper;
  private final EngineTraits traits;
  private final boolean notifies;
  private final LockSignals signals;
  private final FirstConnection first;
  private final CounterTable counter;
  private final OwnLane own = new OwnLane(this::lane);
  private volatile boolean ready;
  private volatile boolean closed;

  /**
   * Opens the engine; the database need not be up.
   *
   * @param signalled whether waiters are signalled where the database can; if not, they poll
   */
  public TableEngine(StoreConfig config, boolean signalled) {
    Dialect dialect = config.dialect();
    this.create = config.create();
    this.sql = new TableSql(dialect, config.prefix());
    this.store = config.store(sql.allTables());
    this.refusals = new Refusals(config.address());
    this.first = new FirstConnection(store);
    this.notifies =
        dialect instanceof PostgreSql && signalled && PgListener.isPossible() && !isPooled(first);
    boolean watches = dialect instanceof Sqlite && signalled;
    this.signals = watches ? new FileSignals(store, sql) : listening();
    this.transactionPath = new TransactionPath(sql, refusals, notifies);
    this.fastPath = FastPath.of(sql, dialect, notifies);
    this.counter = new CounterTable(config);
    this.sweeper = new Sweeper(sql, dialect, store.nanoTime());
    this.idleSweeper = new IdleSweeper(store, sweeper);
    this.traits = traits(config, notifies || watches);
  }

  private LockSignals listening() {
    return notifies
        ? new NotifySignals(
            store.connector(),
            new NotifySignals.Channels(sql.channel(), sql.heldChannel()),
            store.timeout(),
            store.nanoTime())
        : new LocalSignals(store.nanoTime());
  }

  /** Notifications do not pass a pooler, and traits must be right from the start. */
  private static boolean isPooled(FirstConnection first) {
    first.open();
    return first.isPooled();
  }

  private static EngineTraits traits(StoreConfig config, boolean signals) {
    int lanes = config.settings().lanes();
    Set<Guarantee> guarantees =
        EnumSet.of(
            Guarantee.FENCING,
            Guarantee.FIFO,
            Guarantee.PORTABLE_TICKETS,
            Guarantee.SHARED,
            Guarantee.TOKENS_SURVIVE_RESTART,
            Guarantee.TOKENS_SURVIVE_FAILOVER);
    if (signals) {
      guarantees.add(Guarantee.SIGNALS);
    }
    if (config.isShared()) {
      guarantees.add(Guarantee.ACROSS_PROCESSES);
    }
    if (config.isDurable()) {
      guarantees.add(Guarantee.EXCLUSION_SURVIVES_RESTART);
    }
    return new EngineTraits(
        config.address(),
        Set.of(Shape.Kind.values()),
        Set.of(Order.values()),
        guarantees,
        true,
        lanes == 0 ? config.dialect().lanes() : lanes,
        BATCH,
        Duration.ZERO,
        Optional.empty());
  }

  @Override
  public LockEngine lane() throws EngineException {
    return new TableLane(traits, open(), transactionPath, fastPath, signals, sweeper::sweepIfDue);
  }

  /** Returns a connection to tables that exist and have the right layout. */
  private SqlRunner open() throws EngineException {
    if (closed) {
      throw refusals.closed();
    }
    SqlRunner runner = first.runner();
    try {
      runner.connect();
      if (!ready) {
        runner.requireOwn();
        runner.requireNoReplay();
        new TableSetup(sql, store.errors(), create, store.dialect().altersTogether())
            .require(runner);
        createTriggers(runner);
        ready = true;
        idleSweeper.start();
      }
    } catch (EngineException e) {
      runner.close();
      throw e;
    }
    return runner;
  }

  /** Optimisation only: holders learn sooner of deleted rows. A failure is not reported. */
  private void createTriggers(SqlRunner runner) throws EngineException {
    if (notifies && create) {
      boolean ignored = runner.statement(new DeletionTriggers(sql)::create);
    }
  }

  @Override
  public void reportChangesTo(HoldSignal signal) {
    signals.reportTo(signal);
  }

  @Override
  public void perform(List<Verb> batch) {
    own.perform(batch);
  }

  @Override
  public EngineTraits traits() {
    return traits;
  }

  @Override
  public EngineCondition condition() {
    Map<String, Long> counters = new HashMap<>();
    counters.put("retries", store.retries().sum());
    counters.put("rows.removed", sweeper.removed());
    counters.putAll(signals.counters());
    List<String> warnings = new ArrayList<>();
    signals.silence().ifPresent(warnings::add);
    if (first.isPooled()) {
      warnings.add(NotifySignals.silence(PgListener.POOLER));
    }
    return new EngineCondition(warnings, counters);
  }

  @Override
  public Optional<EngineInspector> inspector() {
    return Optional.of(
        new TableInspector(this::open, sql, notifies, store.dialect() instanceof PostgreSql));
  }

  @Override
  public Optional<Counter> counter() {
    return Optional.of(counter);
  }

  @Override
  public void close() {
    closed = true;
    idleSweeper.close();
    signals.close();
    counter.close();
    own.close();
    first.close();
    store.opener().close();
  }
}
