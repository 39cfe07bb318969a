package io.holdfast.jdbc.wire;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.Setting;
import io.holdfast.jdbc.dialect.Trouble;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLRecoverableException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One connection in autocommit, with its prepared statements. One thread uses it; {@link #close()}
 * may come from another, and breaks off what takes too long.
 */
public final class Link implements AutoCloseable {

  private static final String CONNECTION_LOST = "08003";

  private final Connection connection;
  private final Dialect dialect;
  private final boolean lent;
  private final boolean pooled;
  private final List<String> back = new ArrayList<>();
  private final Map<String, PreparedStatement> prepared = new HashMap<>();
  private final int isolation;

  /** Whether it came with another isolation than ours. */
  private final boolean strange;

  private final int networkTimeout;
  private boolean begun;
  private volatile @Nullable Statement running;
  private volatile boolean busy;
  private volatile boolean broken;

  private Link(Connection connection, Dialect dialect, boolean lent, Duration timeout)
      throws SQLException {
    this.connection = connection;
    this.dialect = dialect;
    this.lent = lent;
    this.isolation = connection.getTransactionIsolation();
    this.networkTimeout = limitNetwork((int) timeout.toMillis());
    this.pooled = PgSession.isBehindPooler(connection, dialect);
    this.strange =
        isolation != Connection.TRANSACTION_READ_COMMITTED
            && connection
                .getMetaData()
                .supportsTransactionIsolationLevel(Connection.TRANSACTION_READ_COMMITTED);
    if (pooled) {
      PgSession.forgetStatements(connection);
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
  static Link over(Connection connection, Dialect dialect, boolean lent, Duration timeout)
      throws SQLException {
    try {
      return new Link(connection, dialect, lent, timeout);
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
      // Nothing that runs in this process hangs in a network.
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

  /** Runs statements that change settings; a connection that is lent gets them back. */
  void change(List<Setting> changes, List<String> statements) throws SQLException {
    if (lent) {
      for (Setting setting : changes) {
        String value = value(setting);
        if (value != null) {
          back.add(setting.back(value));
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

  /** The connection itself, for what only one driver can do. */
  Connection connection() {
    return connection;
  }

  Dialect dialect() {
    return dialect;
  }

  /** Whether a pooler gives every transaction another server session. */
  public boolean isPooled() {
    return pooled;
  }

  /**
   * The statement of this text, prepared once and kept.
   *
   * @param written columns that an update answers, as keys, of the rows that it wrote; none: as
   *     usual
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
      // For this transaction alone: the session will be somebody else's.
      runAll(List.of("set transaction isolation level read committed"));
    }
  }

  void commit() throws SQLException {
    dialect.commit(connection);
    begun = false;
  }

  /** Undoes what has not been committed; a link that cannot is broken. */
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

  /** It is to be replaced. */
  void wornOut() {
    broken = true;
  }

  /**
   * Returns the error of a lost connection in place of an error that the driver raised because the
   * connection was closed under its statement; any other error as it is. Drivers have words of
   * their own for that (MySQL's: state S1009, no error code), which look like a refusal of the
   * database.
   */
  SQLException explain(SQLException error) {
    return dialect.trouble(error) != Trouble.LOST && isClosed()
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

  /** Whether it is of no use any more. */
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
      if (lent) {
        runAll(back);
        if (strange && !pooled) {
          connection.setTransactionIsolation(isolation);
        }
        limitNetwork(networkTimeout);
      }
    } catch (SQLException e) {
      // Then nobody may use it again.
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
    if (lent || !connection.isClosed()) {
      // The pool must hear of it as well; and H2 takes note of the word and does nothing.
      connection.close();
    }
  }
}
