package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.connection.StoreConfig;
import io.holdfast.jdbc.counter.CounterTable;
import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.H2;
import io.holdfast.jdbc.dialect.Sqlite;
import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineCondition;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.OwnLane;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The engine of the modes session and row, whose locks live on connections.
 *
 * <p>Connections belong to the client, not to a lane. A lane opens what it needs with its first
 * verb. The modes differ in {@link LockMode} alone.
 */
public final class ConnectionLockEngine implements BatchEngine {

  private static final int SESSION_BATCH = 128;

  /** The verbs run one after another, and all of them within one operation timeout. */
  private static final int ROW_BATCH = 4;

  private final LockMode mode;
  private final CounterTable counter;
  private final OwnLane own = new OwnLane(this::lane);
  private volatile boolean closed;

  private ConnectionLockEngine(LockMode mode, CounterTable counter) {
    this.mode = mode;
    this.counter = counter;
  }

  /**
   * Opens the mode session; the database need not be up.
   *
   * @throws IllegalArgumentException when the database has no such locks
   */
  public static LockEngine session(StoreConfig config) {
    Dialect dialect = config.dialect();
    if (dialect instanceof Sqlite || dialect instanceof H2) {
      throw noSuchLocks(config, "of sessions", "session");
    }
    ModeTables tables = new ModeTables(dialect, config.prefix(), Map.of(), config.create());
    return new ConnectionLockEngine(
        new SessionMode(config.store(tables.creates()), tables, traits(config, SESSION_BATCH)),
        new CounterTable(config));
  }

  /**
   * Opens the mode row; the database need not be up.
   *
   * @param connections how many locks the client can hold at once
   * @throws IllegalArgumentException when the database has no such locks
   */
  public static LockEngine row(StoreConfig config, int connections) {
    Dialect dialect = config.dialect();
    if (dialect instanceof Sqlite) {
      throw noSuchLocks(config, "of rows", "row");
    }
    RowSql sql = new RowSql(dialect, config.prefix(), config.settings().lease());
    ModeTables tables = new ModeTables(dialect, config.prefix(), sql.tables(), config.create());
    EngineTraits traits = traits(config, Math.min(connections, ROW_BATCH));
    return new ConnectionLockEngine(
        new RowMode(config.store(tables.creates()), tables, sql, connections, traits),
        new CounterTable(config));
  }

  private static IllegalArgumentException noSuchLocks(
      StoreConfig config, String locks, String mode) {
    return new IllegalArgumentException(
        config.dialect().product()
            + " has no locks "
            + locks
            + ", so holdfast.mode="
            + mode
            + " is not available at "
            + config.address()
            + ": use holdfast.mode=table");
  }

  /** Exclusion ends with the connection: only tokens survive restarts and failovers. */
  private static EngineTraits traits(StoreConfig config, int batch) {
    Set<Guarantee> guarantees =
        EnumSet.of(
            Guarantee.FENCING, Guarantee.TOKENS_SURVIVE_RESTART, Guarantee.TOKENS_SURVIVE_FAILOVER);
    if (config.isShared()) {
      guarantees.add(Guarantee.ACROSS_PROCESSES);
    }
    return new EngineTraits(
        config.address(),
        Set.of(Shape.Kind.MUTEX),
        Set.of(Order.ANY),
        guarantees,
        true,
        1,
        batch,
        Duration.ZERO,
        Optional.of(config.settings().lease()));
  }

  @Override
  public LockEngine lane() throws EngineException {
    if (closed) {
      throw new Refusals(traits().store()).closed();
    }
    return mode.lane();
  }

  @Override
  public void perform(List<Verb> batch) {
    own.perform(batch);
  }

  @Override
  public EngineTraits traits() {
    return mode.traits;
  }

  @Override
  public EngineCondition condition() {
    return mode.condition();
  }

  @Override
  public String whyNot(Shape shape) {
    return mode.whyNot();
  }

  @Override
  public Optional<Counter> counter() {
    return Optional.of(counter);
  }

  @Override
  public void close() {
    closed = true;
    own.close();
    counter.close();
    mode.close();
  }
}
