package io.holdfast.jdbc.connection;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.PostgreSql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/** Calls of PostgreSQL's own driver, if it is on the class path. */
public final class PgDriver {

  private PgDriver() {}

  /**
   * Returns whether a pooler may give every transaction another session: the session differs from
   * what the server named at connect. A driver that does not report the session counts as pooled:
   * then nothing is left behind in sessions.
   */
  public static boolean isBehindPooler(Connection connection, Dialect dialect) throws SQLException {
    if (!(dialect instanceof PostgreSql)) {
      return false;
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select pg_backend_pid()")) {
      rows.next();
      return Driver.pid(connection) != rows.getInt(1);
    }
  }

  /** Prevents prepared statements, which do not exist in the next server session. */
  static void forgetStatements(Connection connection) throws SQLException {
    if (isThere()) {
      Driver.prepareNothing(connection);
    }
  }

  /** Returns whether the driver's classes are on the class path. */
  public static boolean isThere() {
    try {
      Class.forName("org.postgresql.PGConnection", false, PgDriver.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /** Loaded only where the driver is present. */
  private static final class Driver {

    static final int NONE = -1;

    static int pid(Connection connection) throws SQLException {
      return isThere() && connection.isWrapperFor(PGConnection.class)
          ? connection.unwrap(PGConnection.class).getBackendPID()
          : NONE;
    }

    static void prepareNothing(Connection connection) throws SQLException {
      if (connection.isWrapperFor(PGConnection.class)) {
        connection.unwrap(PGConnection.class).setPrepareThreshold(0);
      }
    }
  }
}
