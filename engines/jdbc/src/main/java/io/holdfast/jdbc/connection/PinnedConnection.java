package io.holdfast.jdbc.connection;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.ErrorKind;
import io.holdfast.jdbc.dialect.Setting;
import io.holdfast.spi.EngineException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * A connection that locks live on, never replaced by another one.
 *
 * <p>One thread at a time uses it; {@link #breakOff()} may come from any thread.
 */
public final class PinnedConnection implements AutoCloseable {

  private final JdbcConnection connection;
  private final JdbcStore store;
  private boolean inTransaction;
  private String session = "";

  private PinnedConnection(JdbcConnection connection, JdbcStore store) {
    this.connection = connection;
    this.store = store;
  }

  /** Opens a connection; blocks for as long as connecting may take. */
  public static PinnedConnection open(JdbcStore store) throws EngineException {
    return new PinnedConnection(new SqlRunner(store).connect(), store);
  }

  /**
   * Runs work in the open transaction, or statement by statement if there is none. Never runs
   * anything twice, and never rolls back.
   */
  public <T> T call(SqlRunner.Work<T> work) throws SQLException {
    connection.working(true);
    try {
      return work.run(connection);
    } catch (SQLException thrown) {
      SQLException e = connection.explain(thrown);
      ErrorKind errorKind = store.dialect().errorKind(e);
      if (errorKind == ErrorKind.LOST || errorKind == ErrorKind.READ_ONLY) {
        connection.markBroken();
      }
      throw e;
    } catch (RuntimeException e) {
      // What is still on the wire is unknown.
      connection.markBroken();
      throw e;
    } finally {
      connection.working(false);
    }
  }

  /** Runs statements without parameters. */
  public void execute(List<String> statements) throws SQLException {
    Object ignored =
        call(
            open -> {
              open.execute(statements);
              return statements;
            });
  }

  /** Runs statements that change settings, which are restored on a caller-supplied connection. */
  public void change(List<Setting> changes, List<String> statements) throws SQLException {
    Object ignored =
        call(
            open -> {
              open.change(changes, statements);
              return statements;
            });
  }

  /**
   * Gives its session a name, by which it is recognised. Not behind a pooler that gives each
   * transaction another session.
   */
  public void nameSession() throws SQLException {
    Dialect dialect = store.dialect();
    String name = UUID.randomUUID().toString().replace("-", "");
    change(dialect.sessionChanges(), List.of(dialect.nameSession(name)));
    session = call(PinnedConnection::askSession);
  }

  private static String askSession(JdbcConnection connection) throws SQLException {
    try (ResultSet rows =
        connection.prepare("select " + connection.dialect().sessionName()).executeQuery()) {
      rows.next();
      return rows.getString(1);
    }
  }

  /** Returns the number and name of its session; empty if it has no name. */
  public String session() {
    return session;
  }

  /** Begins a transaction. */
  public void begin() throws SQLException {
    inTransaction = true;
    Object ignored =
        call(
            open -> {
              open.begin();
              return open;
            });
  }

  /** Commits it. */
  public void commit() throws SQLException {
    Object ignored =
        call(
            open -> {
              open.commit();
              return open;
            });
    inTransaction = false;
  }

  /** Rolls it back, if there is one; a connection that cannot do so is broken. */
  public void rollback() {
    if (inTransaction) {
      inTransaction = false;
      connection.working(true);
      try {
        connection.rollback();
      } finally {
        connection.working(false);
      }
    }
  }

  /** Returns whether a pooler may give every transaction another session of the server. */
  public boolean isPooled() {
    return connection.isPooled();
  }

  /** Returns whether it can no longer be used. */
  public boolean isBroken() {
    return connection.isBroken();
  }

  /** Returns whether it is caller-supplied, and so is given back when closed. */
  public boolean isCallerSupplied() {
    return store.connector().isCallerSupplied();
  }

  /** Ends it at once, whatever it is doing. Any thread may call it. */
  public void breakOff() {
    connection.markBroken();
    connection.close();
  }

  /** Closes it, or gives it back. */
  @Override
  public void close() {
    connection.close();
  }
}
