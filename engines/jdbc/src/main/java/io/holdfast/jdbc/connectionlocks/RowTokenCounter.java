package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.jdbc.connection.OtherSessionException;
import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.MySqlFamily;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * A token counter in a row, for databases without suitable sequences.
 *
 * <p>It rises at least to the clock with each token.
 */
final class RowTokenCounter implements TokenCounter {

  private final boolean mysql;
  private final String insert;
  private final String take;
  private final String table;

  RowTokenCounter(Dialect dialect, String name) {
    this.mysql = dialect instanceof MySqlFamily;
    this.table =
        "create table if not exists "
            + name
            + " (id integer not null primary key, counter bigint not null)"
            + (mysql ? " engine = InnoDB" : "");
    this.insert = dialect.insertAbsent(name, "id, counter", "0, 0");
    String risen = "greatest(counter + ?, " + TokenCounter.ticks(dialect) + ")";
    this.take =
        mysql
            ? "update " + name + " set counter = last_insert_id(" + risen + ") where id = 0"
            : "select counter from final table (update "
                + name
                + " set counter = "
                + risen
                + " where id = 0)";
  }

  @Override
  public List<String> creates() {
    return List.of(table, insert);
  }

  /** It rises with each token; this only checks that it exists. */
  @Override
  public void raise(JdbcConnection connection) throws SQLException {
    take(connection, 1);
  }

  @Override
  public long take(JdbcConnection connection, int count) throws SQLException {
    PreparedStatement statement = connection.prepare(take);
    statement.setLong(1, count);
    if (mysql) {
      if (statement.executeUpdate() == 0) {
        throw noRow();
      }
      statement = connection.prepare("select last_insert_id()");
    }
    try (ResultSet rows = statement.executeQuery()) {
      if (!rows.next()) {
        throw noRow();
      }
      long counter = rows.getLong(1);
      if (counter == 0) {
        // The session that replied has not counted.
        throw new OtherSessionException();
      }
      return counter;
    }
  }

  private static SQLException noRow() {
    return new SQLException("the counter has no row", "42S02");
  }
}
