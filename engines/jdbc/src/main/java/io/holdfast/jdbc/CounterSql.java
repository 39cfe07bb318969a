package io.holdfast.jdbc;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.H2;
import io.holdfast.jdbc.dialect.MySqlFamily;
import io.holdfast.jdbc.dialect.PostgreSql;
import io.holdfast.jdbc.dialect.Sqlite;
import io.holdfast.jdbc.wire.Link;
import io.holdfast.spi.Counter.Ask;
import io.holdfast.spi.Resource;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * The statements of counters. What takes a block is one of them, right at any isolation: it adds to
 * the row that it has locked, or makes the row. Whoever comes second adds to what the first one
 * committed. On PostgreSQL and MariaDB that is all; elsewhere it stands in a transaction.
 */
final class CounterSql {

  private final Dialect dialect;
  private final String table;

  CounterSql(Dialect dialect, String prefix) {
    this.dialect = dialect;
    this.table = prefix + "counter";
  }

  /**
   * Whether a block needs a transaction: where the answer is a second statement (MySQL), where the
   * row is made by one (H2), and where one that begins by reading cannot wait for its turn to write
   * (SQLite).
   */
  boolean needsTransaction() {
    return !(dialect instanceof PostgreSql || isMaria());
  }

  private boolean isMaria() {
    return dialect instanceof MySqlFamily family && family.isMaria();
  }

  /** What a connection has to be told first. */
  List<String> settings() {
    // Ids live on elsewhere when the machine loses its power: the block must not come back.
    return dialect instanceof Sqlite ? List.of("pragma synchronous = full") : List.of();
  }

  /** Takes a block and answers its first number. */
  long take(Link link, Ask ask) throws SQLException {
    if (dialect instanceof MySqlFamily && !isMaria()) {
      insert(link, ask, mySql(ask)).executeUpdate();
      try (ResultSet rows = link.prepare("select last_insert_id()").executeQuery()) {
        rows.next();
        return rows.getLong(1) - ask.count();
      }
    }
    if (dialect instanceof H2) {
      return takeOnH2(link, ask);
    }
    String upsert = isMaria() ? maria(ask) : upsert(ask);
    try (ResultSet rows = insert(link, ask, upsert).executeQuery()) {
      rows.next();
      return rows.getLong(1) - ask.count();
    }
  }

  /** The end of the first block of a row that is not there yet; for others it is the floor. */
  private String fresh(Ask ask) {
    String greatest = dialect instanceof Sqlite ? "max" : "greatest";
    return ask.clocked() ? greatest + "(?, " + dialect.nowMicros() + ") + ?" : "? + ?";
  }

  private static PreparedStatement insert(Link link, Ask ask, String sql) throws SQLException {
    PreparedStatement statement = link.prepare(sql);
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

  private long takeOnH2(Link link, Ask ask) throws SQLException {
    String clock = ask.clocked() ? ", " + dialect.nowMicros() : "";
    String take =
        "select next_number from final table (update "
            + table
            + " set next_number = greatest(next_number, cast(? as bigint)"
            + clock
            + ") + cast(? as bigint) where ns = ? and name = ?)";
    for (int tries = 0; tries < 2; tries++) {
      PreparedStatement statement = link.prepare(take);
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
          link.prepare(dialect.insertAbsent(table, "ns, name, next_number", "?, ?, 0"));
      absent.setString(1, ask.name().namespace());
      absent.setString(2, ask.name().name());
      absent.executeUpdate();
    }
    throw new SQLException("the counter has no row", "42S02");
  }

  /** Answers whether the end of the block was still the end of all blocks. */
  boolean giveBack(Link link, Resource name, long from, long end) throws SQLException {
    PreparedStatement statement =
        link.prepare(
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
