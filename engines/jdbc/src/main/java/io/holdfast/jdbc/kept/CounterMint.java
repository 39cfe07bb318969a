package io.holdfast.jdbc.kept;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.MySqlFamily;
import io.holdfast.jdbc.wire.AnotherSession;
import io.holdfast.jdbc.wire.Link;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** A row, for databases whose sequences do not do: each time it rises at least to the clock. */
final class CounterMint implements Mint {

  private final boolean mysql;
  private final String insert;
  private final String take;
  private final String table;

  CounterMint(Dialect dialect, String name) {
    this.mysql = dialect instanceof MySqlFamily;
    this.table =
        "create table if not exists "
            + name
            + " (id integer not null primary key, counter bigint not null)"
            + (mysql ? " engine = InnoDB" : "");
    this.insert = dialect.insertAbsent(name, "id, counter", "0, 0");
    String risen = "greatest(counter + ?, " + Mint.ticks(dialect) + ")";
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

  /** It rises by itself; this only shows that it is there. */
  @Override
  public void raise(Link link) throws SQLException {
    take(link, 1);
  }

  @Override
  public long take(Link link, int count) throws SQLException {
    PreparedStatement statement = link.prepare(take);
    statement.setLong(1, count);
    if (mysql) {
      if (statement.executeUpdate() == 0) {
        throw noRow();
      }
      statement = link.prepare("select last_insert_id()");
    }
    try (ResultSet rows = statement.executeQuery()) {
      if (!rows.next()) {
        throw noRow();
      }
      long counter = rows.getLong(1);
      if (counter == 0) {
        // Nobody has counted in the session that this question came to.
        throw new AnotherSession();
      }
      return counter;
    }
  }

  private static SQLException noRow() {
    return new SQLException("the counter has no row", "42S02");
  }
}
