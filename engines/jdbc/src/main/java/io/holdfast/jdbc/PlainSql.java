package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs one statement with its values. */
final class PlainSql {

  /** Makes something of the row that a result stands on. */
  @FunctionalInterface
  interface Reading<T> {
    T of(ResultSet row) throws SQLException;
  }

  private PlainSql() {}

  /** Answers how many rows it changed. */
  static int update(Connection connection, String sql, @Nullable Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      return statement.executeUpdate();
    }
  }

  /** Answers the first row, if there is one. */
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
}
