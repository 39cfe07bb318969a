package io.holdfast.jdbc.connection;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.ErrorKind;
import io.holdfast.jdbc.dialect.Setting;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLRecoverableException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One connection in autocommit mode, with its prepared statements.
 *
 * <p>One thread uses it; {@link #close()} may come from another thread, and breaks off a call that
 * takes too long.
 */
public final class JdbcConnection implements AutoCloseable {

  private static final String CONNECTION_LOST = "08003";

  private final Connection connection;
  private final Dialect dialect;
  private final boolean callerSupplied;
  private final boolean pooled;

  /** Newest first: what was there before the first change comes last. */
  private final Deque<String> back = new ArrayDeque<>();

  private final Map<String, PreparedStatement> prepared = new HashMap<>();
  private final int isolation;

  /** Whether it came with another isolation level than ours. */
  private final boolean strange;

  private final int networkTimeout;
  private boolean begun;
  private volatile @Nullable Statement running;
  private volatile boolean busy;
  private volatile boolean broken;

  private JdbcConnection(
      Connection connection, Dialect dialect, boolean callerSupplied, Duration timeout)
      throws SQLException {
    this.connection = connection;
    this.dialect = dialect;
    this.callerSupplied = callerSupplied;
    this.isolation = connection.getTransactionIsolation();
    this.networkTimeout = limitNetwork((int) timeout.toMillis());
    this.pooled = PgDriver.isBehindPooler(connection, dialect);
    this.strange =
        isolation != Connection.TRANSACTION_READ_COMMITTED
            && connection
                .getMetaData()
                .supportsTransactionIsolationLevel(Connection.TRANSACTION_READ_COMMITTED);
    if (pooled) {
      PgDriver.forgetStatements(connection);
    } else {
      if (strange) {
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      }
      change(dialect.changes(), dialect.settings(timeout));
    }
  }

  /**
   * Makes a connection ready, or closes it.
   *
   * @param timeout how long a call may take
   */
  static JdbcConnection over(
      Connection connection, Dialect dialect, boolean callerSupplied, Duration timeout)
      throws SQLException {
    try {
      return new JdbcConnection(connection, dialect, callerSupplied, timeout);
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private int limitNetwork(int millis) throws SQLException {
    try {
      int before = connection.getNetworkTimeout();
      connection.setNetworkTimeout(Runnable::run, millis);
      return before;
    } catch (SQLFeatureNotSupportedException | AbstractMethodError e) {
      // A database in this process does not hang in a network.
      return 0;
    }
  }

  private void runAll(Iterable<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** Runs statements without parameters, each in its own transaction. */
  public void execute(Iterable<String> statements) throws SQLException {
    runAll(statements);
  }

  /** Runs statements that change settings, which are restored on a caller-supplied connection. */
  void change(List<Setting> changes, List<String> statements) throws SQLException {
    if (callerSupplied) {
      for (Setting setting : changes) {
        String value = value(setting);
        if (value != null) {
          back.addFirst(setting.back(value));
        }
      }
    }
    runAll(statements);
  }

  private @Nullable String value(Setting setting) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(setting.query())) {
      return rows.next() ? rows.getString(1) : null;
    }
  }

  /** Returns the connection itself, for driver-specific calls. */
  Connection connection() {
    return connection;
  }

  Dialect dialect() {
    return dialect;
  }

  /** Returns whether a pooler gives every transaction another server session. */
  public boolean isPooled() {
    return pooled;
  }

  /**
   * Returns the statement of this text, prepared once and kept.
   *
   * @param written the columns that an update returns, as keys, of the rows that it wrote; none for
   *     a plain statement
   */
  public PreparedStatement prepare(String sql, String... written) throws SQLException {
    PreparedStatement known = prepared.get(sql);
    if (known == null) {
      known =
          written.length == 0
              ? connection.prepareStatement(sql)
              : connection.prepareStatement(sql, written);
      prepared.put(sql, known);
    }
    running = known;
    return known;
  }

  void begin() throws SQLException {
    dialect.begin(connection);
    begun = true;
    if (pooled && strange) {
      // For this transaction only: the session is shared.
      runAll(List.of("set transaction isolation level read committed"));
    }
  }

  void commit() throws SQLException {
    dialect.commit(connection);
    begun = false;
  }

  /** Rolls back; a connection that cannot do so is broken. */
  void rollback() {
    try {
      if (begun && !broken) {
        dialect.rollback(connection);
      }
      begun = false;
    } catch (SQLException e) {
      broken = true;
    }
  }

  void working(boolean now) {
    busy = now;
  }

  /** Marks it as broken: it must be replaced. */
  void markBroken() {
    broken = true;
  }

  /**
   * Returns the error of a lost connection in place of an error that the driver raised because the
   * connection was closed under its statement; any other error as it is. Drivers have errors of
   * their own for that (MySQL's: state S1009, no error code), which look like a refusal of the
   * database.
   */
  SQLException explain(SQLException error) {
    return dialect.errorKind(error) != ErrorKind.LOST && isClosed()
        ? new SQLRecoverableException(error.getMessage(), CONNECTION_LOST, error)
        : error;
  }

  private boolean isClosed() {
    try {
      return broken || connection.isClosed();
    } catch (SQLException e) {
      return true;
    }
  }

  /** Returns whether it can no longer be used. */
  public boolean isBroken() {
    return broken;
  }

  @Override
  public void close() {
    boolean quietly = !busy && !broken;
    broken = true;
    try {
      if (quietly) {
        giveBack();
      } else {
        breakOff();
      }
    } catch (SQLException | RuntimeException e) {
      // It is closed, or as good as. Pools fail in their own ways when it was aborted before.
      return;
    }
  }

  private void giveBack() throws SQLException {
    try {
      if (callerSupplied) {
        runAll(back);
        if (strange && !pooled) {
          connection.setTransactionIsolation(isolation);
        }
        limitNetwork(networkTimeout);
      }
    } catch (SQLException e) {
      // Then it must not be used again.
      breakOff();
      return;
    }
    connection.close();
  }

  private void breakOff() throws SQLException {
    Statement hanging = running;
    try {
      if (dialect.cancels() && hanging != null) {
        hanging.cancel();
      }
      connection.abort(Runnable::run);
    } catch (SQLFeatureNotSupportedException | AbstractMethodError e) {
      connection.close();
      return;
    }
    if (callerSupplied || !connection.isClosed()) {
      // The pool must learn of it as well; and H2 ignores the abort.
      connection.close();
    }
  }
}
