package io.holdfast.jdbc.counter;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.H2;
import io.holdfast.jdbc.dialect.MySqlFamily;
import io.holdfast.jdbc.dialect.PostgreSql;
import io.holdfast.jdbc.dialect.Sqlite;
import io.holdfast.spi.Counter.Ask;
import io.holdfast.spi.Resource;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * The statements of counters.
 *
 * <p>One statement takes a block, correct at any isolation level: it adds to the row that it has
 * locked, or inserts the row. The next client adds to what the first one committed. On PostgreSQL
 * and MariaDB that is all; elsewhere it runs in a transaction.
 */
final class CounterSql {

  private final Dialect dialect;
  private final String table;

  CounterSql(Dialect dialect, String prefix) {
    this.dialect = dialect;
    this.table = prefix + "counter";
  }

  /**
   * Returns whether a block needs a transaction: where a second statement reads the result (MySQL)
   * or inserts the row (H2), and where a statement that begins by reading cannot wait to write
   * (SQLite).
   */
  boolean needsTransaction() {
    return !(dialect instanceof PostgreSql || isMaria());
  }

  private boolean isMaria() {
    return dialect instanceof MySqlFamily family && family.isMaria();
  }

  /** Returns the settings of a connection. */
  List<String> settings() {
    // Ids survive elsewhere when the machine loses power: the block must not be handed out again.
    return dialect instanceof Sqlite ? List.of("pragma synchronous = full") : List.of();
  }

  /** Takes a block and returns its first number. */
  long take(JdbcConnection connection, Ask ask) throws SQLException {
    if (dialect instanceof MySqlFamily && !isMaria()) {
      insert(connection, ask, mySql(ask)).executeUpdate();
      try (ResultSet rows = connection.prepare("select last_insert_id()").executeQuery()) {
        rows.next();
        return rows.getLong(1) - ask.count();
      }
    }
    if (dialect instanceof H2) {
      return takeOnH2(connection, ask);
    }
    String upsert = isMaria() ? maria(ask) : upsert(ask);
    try (ResultSet rows = insert(connection, ask, upsert).executeQuery()) {
      rows.next();
      return rows.getLong(1) - ask.count();
    }
  }

  /** Returns the end of the first block of a new row; for an existing row it is the floor. */
  private String fresh(Ask ask) {
    String greatest = dialect instanceof Sqlite ? "max" : "greatest";
    return ask.clocked() ? greatest + "(?, " + dialect.nowMicros() + ") + ?" : "? + ?";
  }

  private static PreparedStatement insert(JdbcConnection connection, Ask ask, String sql)
      throws SQLException {
    PreparedStatement statement = connection.prepare(sql);
    statement.setString(1, ask.name().namespace());
    statement.setString(2, ask.name().name());
    statement.setLong(3, ask.floor());
    statement.setLong(4, ask.count());
    statement.setLong(5, ask.count());
    return statement;
  }

  private String upsert(Ask ask) {
    String greatest = dialect instanceof Sqlite ? "max" : "greatest";
    return "insert into "
        + table
        + " as c (ns, name, next_number) values (?, ?, "
        + fresh(ask)
        + ") on conflict (ns, name) do update set next_number = "
        + greatest
        + "(c.next_number + ?, excluded.next_number) returning next_number";
  }

  private String maria(Ask ask) {
    return "insert into "
        + table
        + " (ns, name, next_number) values (?, ?, "
        + fresh(ask)
        + ") on duplicate key update next_number ="
        + " greatest(next_number + ?, values(next_number)) returning next_number";
  }

  private String mySql(Ask ask) {
    return "insert into "
        + table
        + " (ns, name, next_number) values (?, ?, last_insert_id("
        + fresh(ask)
        + ")) on duplicate key update next_number ="
        + " last_insert_id(greatest(next_number + ?, values(next_number)))";
  }

  private long takeOnH2(JdbcConnection connection, Ask ask) throws SQLException {
    String clock = ask.clocked() ? ", " + dialect.nowMicros() : "";
    String take =
        "select next_number from final table (update "
            + table
            + " set next_number = greatest(next_number, cast(? as bigint)"
            + clock
            + ") + cast(? as bigint) where ns = ? and name = ?)";
    for (int tries = 0; tries < 2; tries++) {
      PreparedStatement statement = connection.prepare(take);
      statement.setLong(1, ask.floor());
      statement.setLong(2, ask.count());
      statement.setString(3, ask.name().namespace());
      statement.setString(4, ask.name().name());
      try (ResultSet rows = statement.executeQuery()) {
        if (rows.next()) {
          return rows.getLong(1) - ask.count();
        }
      }
      PreparedStatement absent =
          connection.prepare(dialect.insertAbsent(table, "ns, name, next_number", "?, ?, 0"));
      absent.setString(1, ask.name().namespace());
      absent.setString(2, ask.name().name());
      absent.executeUpdate();
    }
    throw new SQLException("the counter has no row", "42S02");
  }

  /** Returns whether the block was the last one, and so was given back. */
  boolean giveBack(JdbcConnection connection, Resource name, long from, long end)
      throws SQLException {
    PreparedStatement statement =
        connection.prepare(
            "update "
                + table
                + " set next_number = ? where ns = ? and name = ? and next_number = ?");
    statement.setLong(1, from);
    statement.setString(2, name.namespace());
    statement.setString(3, name.name());
    statement.setLong(4, end);
    return statement.executeUpdate() == 1;
  }
}
