package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.jdbc.dialect.Dialect;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * A token sequence of MariaDB, which cannot be set back. One number in a thousand is flushed to
 * disk.
 */
final class MariaDbTokenSequence implements TokenCounter {

  private static final int NO_ROW = 1032;

  private final Dialect dialect;
  private final String name;

  MariaDbTokenSequence(Dialect dialect, String name) {
    this.dialect = dialect;
    this.name = name;
  }

  /** Returns the next number, within a statement. */
  public String next() {
    return "nextval(" + name + ")";
  }

  @Override
  public List<String> creates() {
    return List.of("create sequence if not exists " + options());
  }

  private String options() {
    return name + " maxvalue " + MOST + " cache 1000 nocycle";
  }

  /**
   * A server that is killed within a second after it created a sequence has its table without a
   * row. Creating it again loses nothing, because it is raised to the clock.
   */
  @Override
  public List<String> repairs(SQLException error) {
    return error.getErrorCode() == NO_ROW
        ? List.of("create or replace sequence " + options())
        : List.of();
  }

  /** In two steps, because it can only be set to a literal number. */
  @Override
  public void raise(JdbcConnection connection) throws SQLException {
    long ticks = number(connection, "select " + TokenCounter.ticks(dialect));
    connection.execute(List.of("select setval(" + name + ", " + ticks + ")"));
  }

  @Override
  public long take(JdbcConnection connection, int count) throws SQLException {
    long last = 0;
    for (int i = 0; i < count; i++) {
      last = number(connection, "select " + next());
    }
    return last;
  }

  private static long number(JdbcConnection connection, String sql) throws SQLException {
    try (ResultSet rows = connection.prepare(sql).executeQuery()) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
