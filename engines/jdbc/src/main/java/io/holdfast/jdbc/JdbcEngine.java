package io.holdfast.jdbc;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.H2;
import io.holdfast.jdbc.dialect.MySqlFamily;
import io.holdfast.jdbc.dialect.PostgreSql;
import io.holdfast.jdbc.dialect.Sqlite;
import io.holdfast.jdbc.table.Broom;
import io.holdfast.jdbc.table.H2Texts;
import io.holdfast.jdbc.table.HeldTriggers;
import io.holdfast.jdbc.table.Ledger;
import io.holdfast.jdbc.table.MariaTexts;
import io.holdfast.jdbc.table.PgQuick;
import io.holdfast.jdbc.table.Quick;
import io.holdfast.jdbc.table.RowsQuick;
import io.holdfast.jdbc.table.Sql;
import io.holdfast.jdbc.table.SqliteTexts;
import io.holdfast.jdbc.table.TableInspector;
import io.holdfast.jdbc.wire.Connector;
import io.holdfast.jdbc.wire.KindCheck;
import io.holdfast.jdbc.wire.LentConnector;
import io.holdfast.jdbc.wire.OwnConnector;
import io.holdfast.jdbc.wire.PgListener;
import io.holdfast.jdbc.wire.Runner;
import io.holdfast.jdbc.wire.Words;
import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineCondition;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineProvider.Settings;
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
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The engine for a database: all primitives, both orders.
 *
 * <p>Verbs go through {@link #lane()}: each lane has a connection of its own, opened by the thread
 * that uses it. Verbs that are called on the engine itself share one more lane and take turns. No
 * transaction of the program is ever joined, and none of ours outlives a batch.
 */
public final class JdbcEngine implements BatchEngine {

  /*
   * Why no rival gets in: every grant writes the resource's one row while it has that row locked,
   * and only if nobody is in it or the lease of whoever is has ended by the database's own clock.
   * The lease is counted from a time that the database read after the verb was sent, and the
   * holder counts it from before, so it stops first. Tickets of a line are rows of their own, and
   * nobody reads or writes them without the lock on the resource's row. Tokens are minted in the
   * transaction that grants, by a counter in the row, which rises with every grant and with the
   * clock.
   *
   * What breaks it: a database that forgets commits (a replica that lacks them takes over; commits
   * that are not flushed) and a database clock that steps forward. Tokens still rise then, unless
   * the clock went back as well by more than the time that was lost.
   */

  private static final int BATCH = 128;

  private final Runner.Store store;
  private final Sql sql;
  private final JdbcOptions options;
  private final Ledger ledger;
  private final @Nullable Quick quick;
  private final Refusals refusals;
  private final Broom broom;
  private final IdleSweeper sweeper;
  private final EngineTraits traits;
  private final boolean notifies;
  private final Waiting waiting;
  private final FirstConnection first;
  private final CounterTable counter;
  private final OwnLane own = new OwnLane(this::lane);
  private volatile boolean ready;
  private volatile boolean closed;

  private JdbcEngine(JdbcOptions options, Dialect dialect, Connector connector, Settings settings) {
    this.options = options;
    this.sql = new Sql(dialect, options.prefix());
    this.store =
        new Runner.Store(
            connector,
            dialect,
            new Words(dialect, options.address(), sql.allTables()),
            settings.operationTimeout(),
            settings.nanoTime(),
            new LongAdder());
    this.refusals = new Refusals(options.address());
    this.first = new FirstConnection(store);
    this.notifies =
        dialect instanceof PostgreSql
            && options.signals()
            && PgListener.isPossible()
            && !isPooled(first);
    boolean watches = dialect instanceof Sqlite && options.signals();
    this.waiting = watches ? new WatchedWaiting(store, sql) : listening(settings);
    this.ledger = new Ledger(sql, refusals, notifies);
    this.quick = quick(sql, dialect, notifies);
    this.counter = new CounterTable(options, dialect, connector, settings);
    this.broom = new Broom(sql, dialect, settings.nanoTime());
    this.sweeper = new IdleSweeper(store, broom);
    this.traits = traits(options, dialect, settings.lanes(), notifies || watches);
  }

  private Waiting listening(Settings settings) {
    return notifies
        ? new SignalledWaiting(
            store.connector(),
            new SignalledWaiting.Channels(sql.channel(), sql.heldChannel()),
            settings.operationTimeout(),
            settings.nanoTime())
        : new LocalWaiting(settings.nanoTime());
  }

  /** Nobody hears through a pooler, and what is promised is promised from the start. */
  private static boolean isPooled(FirstConnection first) {
    first.open();
    return first.isPooled();
  }

  /**
   * Opens an engine with connections of its own. The database need not be up; where signals could
   * be had, it is asked now whether they can, for up to the operation timeout.
   */
  public static LockEngine open(JdbcOptions options, Settings settings) {
    Dialect dialect = dialect(options.database());
    Connector connector =
        new OwnConnector(
            options.url(),
            options.address(),
            dialect,
            Map.of("user", options.user(), "password", options.password()),
            settings.operationTimeout());
    return of(options, dialect, connector, settings);
  }

  /**
   * An engine over connections that the program has already, such as a pool's. It must have one to
   * spare for every lane, for the reserved lane, and one more, and another one if counters are
   * used; each is kept for as long as the engine is open. It must not be transaction-aware. Closing
   * the engine leaves it open.
   *
   * @param options the database and the tables; its address is only shown
   */
  public static LockEngine over(DataSource source, JdbcOptions options, Settings settings) {
    Dialect dialect = dialect(options.database());
    return of(options, dialect, new LentConnector(source), settings);
  }

  private static LockEngine of(
      JdbcOptions options, Dialect dialect, Connector unchecked, Settings settings) {
    Connector connector = KindCheck.of(unchecked, dialect, options.address());
    return options.mode() == JdbcOptions.Mode.TABLE
        ? new JdbcEngine(options, dialect, connector, settings)
        : KeptModes.open(options, dialect, connector, settings);
  }

  static Dialect dialect(JdbcOptions.Database database) {
    return switch (database) {
      case POSTGRESQL -> new PostgreSql();
      case MARIADB -> MySqlFamily.mariaDb();
      case MYSQL -> MySqlFamily.mySql();
      case H2 -> new H2();
      case SQLITE -> new Sqlite();
    };
  }

  private static @Nullable Quick quick(Sql sql, Dialect dialect, boolean signals) {
    if (dialect instanceof PostgreSql) {
      return new PgQuick(sql, signals);
    }
    if (dialect instanceof Sqlite) {
      return new RowsQuick(new SqliteTexts(sql));
    }
    if (dialect instanceof H2) {
      return new RowsQuick(new H2Texts(sql));
    }
    // MySQL's inserts do not answer what they did.
    return dialect instanceof MySqlFamily family && family.isMaria()
        ? new RowsQuick(new MariaTexts(sql))
        : null;
  }

  private static EngineTraits traits(
      JdbcOptions options, Dialect dialect, int lanes, boolean signals) {
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
    if (dialect.isShared(options.url())) {
      guarantees.add(Guarantee.ACROSS_PROCESSES);
    }
    if (dialect.isDurable(options.url())) {
      guarantees.add(Guarantee.EXCLUSION_SURVIVES_RESTART);
    }
    return new EngineTraits(
        options.address(),
        Set.of(Shape.Kind.values()),
        Set.of(Order.values()),
        guarantees,
        true,
        lanes == 0 ? dialect.lanes() : lanes,
        BATCH,
        Duration.ZERO,
        Optional.empty());
  }

  @Override
  public LockEngine lane() throws EngineException {
    return new TableLane(traits, open(), ledger, quick, waiting, broom);
  }

  /** A connection to tables that are there. */
  private Runner open() throws EngineException {
    if (closed) {
      throw refusals.closed();
    }
    Runner runner = first.runner();
    try {
      runner.connect();
      if (!ready) {
        runner.requireOwn();
        runner.requireNoReplay();
        new Tables(sql, store.words(), options.create(), store.dialect().altersTogether())
            .require(runner);
        createTriggers(runner);
        ready = true;
        sweeper.start();
      }
    } catch (EngineException e) {
      runner.close();
      throw e;
    }
    return runner;
  }

  /** They only make holders hear sooner: what stands in their way is told to nobody. */
  private void createTriggers(Runner runner) throws EngineException {
    if (notifies && options.create()) {
      boolean ignored = runner.statement(new HeldTriggers(sql)::create);
    }
  }

  @Override
  public void reportChangesTo(HoldSignal signal) {
    waiting.reportTo(signal);
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
    counters.put("rows.removed", broom.swept());
    counters.putAll(waiting.counters());
    List<String> warnings = new ArrayList<>();
    waiting.silence().ifPresent(warnings::add);
    if (first.isPooled()) {
      warnings.add(SignalledWaiting.silence(PgListener.POOLER));
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
    sweeper.close();
    waiting.close();
    counter.close();
    own.close();
    first.close();
    store.links().close();
  }
}
