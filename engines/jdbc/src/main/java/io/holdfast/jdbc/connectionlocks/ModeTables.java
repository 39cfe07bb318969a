package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.jdbc.connection.JdbcStore;
import io.holdfast.jdbc.connection.PinnedConnection;
import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.ErrorKind;
import io.holdfast.jdbc.table.layout.TableSql;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.support.RetryDelay;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * The tables that both modes need in addition to their locks: the token counter and generations.
 */
final class ModeTables {

  private static final int TRIES = 6;

  private static final RetryDelay PAUSE =
      RetryDelay.steady(Duration.ofMillis(60), () -> ThreadLocalRandom.current().nextDouble());

  private final Dialect dialect;
  private final String meta;
  private final TokenCounter tokenCounter;
  private final List<String> tables;
  private final List<String> creates;
  private final boolean create;

  /**
   * Creates the tables of a mode; no I/O.
   *
   * @param more further tables of the mode, and the statements that create them
   * @param create whether missing tables are created
   */
  public ModeTables(Dialect dialect, String prefix, Map<String, String> more, boolean create) {
    this.dialect = dialect;
    this.meta = prefix + "meta";
    this.tokenCounter = TokenCounter.of(dialect, prefix);
    this.create = create;
    Map<String, String> sorted = new TreeMap<>(more);
    this.tables = List.copyOf(sorted.keySet());
    this.creates = new ArrayList<>(sorted.values());
    // Shared with the mode table: generations outlive a change of the mode.
    dialect.tables(prefix).stream()
        .filter(sql -> sql.contains(" " + meta + " "))
        .forEach(creates::add);
    creates.addAll(tokenCounter.creates());
  }

  /** Returns the statements that create all tables. */
  public List<String> creates() {
    return creates;
  }

  /** Returns the counter of tokens. */
  public TokenCounter tokenCounter() {
    return tokenCounter;
  }

  /** Returns a subquery: the generation that a namespace has seen; null if none. */
  public String generation(String namespace) {
    return "(select m.generation from " + meta + " m where m.ns = " + namespace + ")";
  }

  /**
   * Creates or checks the tables, and raises the counter to the clock.
   *
   * @throws EngineException.Refused when a table is missing, with the statements that create it, or
   *     of a newer layout
   */
  public void require(PinnedConnection pinned, JdbcStore store) throws EngineException {
    int layout;
    try {
      layout = pinned.call(this::look);
    } catch (SQLException e) {
      List<String> repairs = tokenCounter.repairs(e);
      if (!create || (repairs.isEmpty() && dialect.errorKind(e) != ErrorKind.NO_TABLE)) {
        throw store.errors().failure(e);
      }
      layout = createAndLook(pinned, store, repairs);
    }
    // An older layout is fine: the tables that are used here have not changed.
    if (layout > TableSql.LAYOUT) {
      throw store.errors().newerLayout(layout, TableSql.LAYOUT);
    }
  }

  /**
   * Two clients that create at once get in each other's way, and the client that fails looks before
   * the other is done. A client without the right to create gets the statements.
   */
  private int createAndLook(PinnedConnection pinned, JdbcStore store, List<String> repairs)
      throws EngineException {
    for (int tries = 1; ; tries++) {
      SQLException failed = null;
      try {
        pinned.execute(repairs);
        pinned.execute(creates);
      } catch (SQLException e) {
        failed = e;
      }
      try {
        return pinned.call(this::look);
      } catch (SQLException e) {
        if (tries == TRIES || dialect.errorKind(e) != ErrorKind.NO_TABLE) {
          if (failed != null) {
            e.addSuppressed(failed);
          }
          throw store.errors().failure(e);
        }
      }
      LockSupport.parkNanos(PAUSE.nanosAfter(tries));
    }
  }

  private int look(JdbcConnection connection) throws SQLException {
    tokenCounter.raise(connection);
    for (String table : tables) {
      try (ResultSet rows =
          connection.prepare("select count(*) from " + table + " where ns = ''").executeQuery()) {
        rows.next();
      }
    }
    try (ResultSet rows = connection.prepare("select max(layout) from " + meta).executeQuery()) {
      rows.next();
      return rows.getInt(1);
    }
  }

  /** Raises the generation of a namespace. */
  public void raiseGeneration(JdbcConnection connection, String namespace, int generation)
      throws SQLException {
    PreparedStatement insert =
        connection.prepare(
            dialect.insertAbsent(meta, "ns, generation, layout", "?, 0, " + TableSql.LAYOUT));
    insert.setString(1, namespace);
    insert.executeUpdate();
    PreparedStatement raise =
        connection.prepare(
            "update " + meta + " set generation = ? where ns = ? and generation < ?");
    raise.setInt(1, generation);
    raise.setString(2, namespace);
    raise.setInt(3, generation);
    raise.executeUpdate();
  }
}
