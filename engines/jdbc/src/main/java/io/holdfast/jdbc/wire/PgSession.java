package io.holdfast.jdbc.wire;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.PostgreSql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/** What only PostgreSQL's own driver can tell, if the program has it. */
final class PgSession {

  private PgSession() {}

  /**
   * Whether something stands between us and the server that may give every transaction another
   * session: the session is not the one that the server named when we connected. A driver that does
   * not tell counts as such, too: then nothing is left behind in sessions.
   */
  static boolean isBehindPooler(Connection connection, Dialect dialect) throws SQLException {
    if (!(dialect instanceof PostgreSql)) {
      return false;
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select pg_backend_pid()")) {
      rows.next();
      return Driver.pid(connection) != rows.getInt(1);
    }
  }

  /** Statements that are prepared on a server session are not there in the next. */
  static void forgetStatements(Connection connection) throws SQLException {
    if (isThere()) {
      Driver.prepareNothing(connection);
    }
  }

  /** Whether the driver's classes are there. */
  static boolean isThere() {
    try {
      Class.forName("org.postgresql.PGConnection", false, PgSession.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /** Loaded only where the driver is. */
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
