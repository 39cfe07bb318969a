package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Does something in a transaction of its own, and gives the connection back as it was. */
final class OwnTransaction {

  /** What is done in it. */
  @FunctionalInterface
  interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  private OwnTransaction() {}

  /** Commits what the work did, unless it throws: then nothing of it stays. */
  static <T> T in(DataSource source, Work<T> work) throws SQLException {
    try (Connection connection = source.getConnection()) {
      boolean before = connection.getAutoCommit();
      connection.setAutoCommit(false);
      T result;
      try {
        result = work.on(connection);
        connection.commit();
      } catch (SQLException | RuntimeException | Error e) {
        undo(connection, before, e);
        throw e;
      }
      connection.setAutoCommit(before);
      return result;
    }
  }

  private static void undo(Connection connection, boolean autoCommit, Throwable why) {
    try {
      connection.rollback();
      connection.setAutoCommit(autoCommit);
    } catch (SQLException e) {
      // The connection is broken, and that is what the reason says already.
      why.addSuppressed(e);
    }
  }
}
