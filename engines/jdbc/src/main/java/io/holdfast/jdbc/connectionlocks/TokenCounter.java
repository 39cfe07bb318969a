package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.MySqlFamily;
import io.holdfast.jdbc.dialect.PostgreSql;
import java.sql.SQLException;
import java.util.List;

/** The one counter of all tokens of a store. Stateless. */
sealed interface TokenCounter permits PgTokenSequence, MariaDbTokenSequence, RowTokenCounter {

  /** The largest counter that a token has room for. */
  long MOST = (1L << 46) - 1;

  /** Returns the counter of a database. */
  static TokenCounter of(Dialect dialect, String prefix) {
    String name = prefix + "token";
    if (dialect instanceof PostgreSql) {
      return new PgTokenSequence(dialect, name);
    }
    return dialect instanceof MySqlFamily family && family.isMaria()
        ? new MariaDbTokenSequence(dialect, name)
        : new RowTokenCounter(dialect, name);
  }

  /** Returns the statements that create it; harmless if it exists. */
  List<String> creates();

  /**
   * Returns the statements that recreate it if the error shows that it is damaged; none otherwise.
   */
  default List<String> repairs(SQLException error) {
    return List.of();
  }

  /** Raises it to the clock, in ticks of 64 us; it never goes back. */
  void raise(JdbcConnection connection) throws SQLException;

  /**
   * Takes numbers that are unique and higher than all taken before.
   *
   * @return the last of them; the others are just below
   */
  long take(JdbcConnection connection, int count) throws SQLException;

  /** Returns the database's clock in ticks of 64 us. */
  static String ticks(Dialect dialect) {
    return "floor(" + dialect.nowMicros() + " / 64)";
  }
}
