package io.holdfast.jdbc;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.H2;
import io.holdfast.jdbc.dialect.Sqlite;
import io.holdfast.jdbc.kept.Keeper;
import io.holdfast.jdbc.kept.Layout;
import io.holdfast.jdbc.row.RowKeeper;
import io.holdfast.jdbc.row.RowSql;
import io.holdfast.jdbc.session.SessionKeeper;
import io.holdfast.jdbc.wire.Connector;
import io.holdfast.jdbc.wire.Runner;
import io.holdfast.jdbc.wire.Words;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** Opens the modes whose locks live on connections. */
final class KeptModes {

  private static final int SESSION_BATCH = 128;

  /** Its verbs are run one after another, and all of them within one operation timeout. */
  private static final int ROW_BATCH = 4;

  private KeptModes() {}

  /**
   * An engine in the mode of the options; the database need not be up.
   *
   * @throws IllegalArgumentException when the database does not have the mode
   */
  static LockEngine open(
      JdbcOptions options, Dialect dialect, Connector connector, Settings settings) {
    requireMode(options, dialect);
    return new KeptEngine(
        options.mode() == JdbcOptions.Mode.SESSION
            ? session(options, dialect, connector, settings)
            : rows(options, dialect, connector, settings),
        new CounterTable(options, dialect, connector, settings));
  }

  private static Keeper session(
      JdbcOptions options, Dialect dialect, Connector connector, Settings settings) {
    Layout layout = new Layout(dialect, options.prefix(), Map.of(), options.create());
    return new SessionKeeper(
        store(options, dialect, connector, layout, settings),
        layout,
        settings.lease(),
        traits(options, dialect, settings, SESSION_BATCH));
  }

  private static Keeper rows(
      JdbcOptions options, Dialect dialect, Connector connector, Settings settings) {
    RowSql sql = new RowSql(dialect, options.prefix(), settings.lease());
    Layout layout = new Layout(dialect, options.prefix(), sql.tables(), options.create());
    int batch = Math.min(options.rowConnections(), ROW_BATCH);
    return new RowKeeper(
        store(options, dialect, connector, layout, settings),
        layout,
        sql,
        options.rowConnections(),
        traits(options, dialect, settings, batch));
  }

  private static void requireMode(JdbcOptions options, Dialect dialect) {
    boolean session = options.mode() == JdbcOptions.Mode.SESSION;
    if (dialect instanceof Sqlite || (session && dialect instanceof H2)) {
      throw new IllegalArgumentException(
          dialect.product()
              + " has no locks "
              + (session ? "of sessions" : "of rows")
              + ", so holdfast.mode="
              + (session ? "session" : "row")
              + " cannot be had at "
              + options.address()
              + ": use holdfast.mode=table");
    }
  }

  private static Runner.Store store(
      JdbcOptions options, Dialect dialect, Connector connector, Layout layout, Settings settings) {
    return new Runner.Store(
        connector,
        dialect,
        new Words(dialect, options.address(), layout.creates()),
        settings.operationTimeout(),
        settings.nanoTime(),
        new LongAdder());
  }

  /** Exclusion ends with the connection, so nothing is said of restarts and replicas but tokens. */
  private static EngineTraits traits(
      JdbcOptions options, Dialect dialect, Settings settings, int batch) {
    Set<Guarantee> guarantees =
        EnumSet.of(
            Guarantee.FENCING, Guarantee.TOKENS_SURVIVE_RESTART, Guarantee.TOKENS_SURVIVE_FAILOVER);
    if (dialect.isShared(options.url())) {
      guarantees.add(Guarantee.ACROSS_PROCESSES);
    }
    return new EngineTraits(
        options.address(),
        Set.of(Shape.Kind.MUTEX),
        Set.of(Order.ANY),
        guarantees,
        true,
        1,
        batch,
        Duration.ZERO,
        Optional.of(settings.lease()));
  }
}
