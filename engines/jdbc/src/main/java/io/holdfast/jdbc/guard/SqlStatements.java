package io.holdfast.jdbc.guard;

import io.holdfast.spi.Resource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Runs single statements, and work in transactions. */
final class SqlStatements {

  /** Reads the current row of a result. */
  @FunctionalInterface
  interface Reading<T> {
    T of(ResultSet row) throws SQLException;
  }

  private SqlStatements() {}

  /** Returns how many rows it changed. */
  static int update(Connection connection, String sql, @Nullable Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      return statement.executeUpdate();
    }
  }

  /** Returns the first row, if there is one. */
  static <T> Optional<T> first(
      Connection connection, Reading<T> reading, String sql, @Nullable Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? Optional.of(reading.of(rows)) : Optional.empty();
      }
    }
  }

  /** Runs a statement without values, such as one that creates a table. */
  static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void bind(PreparedStatement statement, @Nullable Object... values)
      throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }

  /** Rejects a connection in a transaction, which creating a table could commit. */
  static void requireAutoCommit(Connection connection, String table) throws SQLException {
    if (!connection.getAutoCommit()) {
      throw new IllegalStateException(
          "to create "
              + table
              + " would commit the transaction on some databases; use a connection in"
              + " autocommit mode");
    }
  }

  /**
   * Rejects a connection without a transaction.
   *
   * @param what "claim" or "lock", for the message
   */
  static void requireTransaction(Connection connection, String what, Resource resource)
      throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "the connection is in autocommit mode: the "
              + what
              + " of "
              + resource
              + " would end with its own statement and protect nothing that is written after it;"
              + " call setAutoCommit(false), "
              + what
              + ", read and write, and commit");
    }
  }

  /** Work in a transaction. */
  @FunctionalInterface
  interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  /** Runs work in a transaction of its own: commits, or rolls back if it throws. */
  static <T> T inTransaction(DataSource source, Work<T> work) throws SQLException {
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
      // The connection is broken, which the cause already reports.
      why.addSuppressed(e);
    }
  }
}
