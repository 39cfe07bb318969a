package io.holdfast.jdbc.guard;

import io.holdfast.LockRefusedException;
import io.holdfast.jdbc.dialect.LockName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * MariaDB, MySQL and H2: locks one of a fixed set of rows.
 *
 * <p>A row for each name would have to be inserted by the transaction, and then other transactions
 * that look for it lock the gap, wait for the insert, or end in a deadlock that rolls the
 * transaction back.
 *
 * @param suffix what follows the definition
 * @param looksAnew whether a locking read, and the first read after it, see the latest commits at
 *     every isolation level
 */
record SlotGate(String table, String suffix, boolean looksAnew) implements TransactionGate {

  private static final int SLOTS = 65_536;
  private static final int DIGITS = 16;
  private static final int TRIES = 5;

  private static int slot(LockName lock) {
    return (int) (lock.number() & (SLOTS - 1));
  }

  @Override
  public boolean take(Connection connection, LockName lock) throws SQLException {
    requireFresh(connection);
    try {
      return SqlStatements.first(
              connection,
              row -> row.getInt(1),
              "SELECT slot FROM " + table + " WHERE slot = ? FOR UPDATE SKIP LOCKED",
              slot(lock))
          .isPresent();
    } catch (SQLException e) {
      if (SqlErrors.isMissingTable(e)) {
        throw missing(e);
      }
      throw e;
    }
  }

  private void requireFresh(Connection connection) throws SQLException {
    if (!looksAnew
        && connection.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED) {
      throw TransactionGate.tooOld("above READ COMMITTED");
    }
  }

  /**
   * Not at SERIALIZABLE, where MariaDB and MySQL lock what a plain select reads: it would wait for
   * the transaction that has the row. There, a table without its rows goes unnoticed.
   */
  @Override
  public void requireThere(Connection connection, LockName lock) throws SQLException {
    if (connection.getTransactionIsolation() == Connection.TRANSACTION_SERIALIZABLE) {
      return;
    }
    if (count(connection, "WHERE slot = " + slot(lock)) == 0) {
      throw missing(null);
    }
  }

  private LockRefusedException missing(@Nullable SQLException cause) {
    return new LockRefusedException(
        "there is no table "
            + table
            + " with its "
            + SLOTS
            + " rows in this database, so transactions cannot lock names: call createTable() or"
            + " run:\n"
            + String.join(";\n", definition())
            + ";",
        cause);
  }

  @Override
  public void create(Connection connection) throws SQLException {
    for (int tries = 1; ; tries++) {
      try {
        for (String sql : definition()) {
          SqlStatements.run(connection, sql);
        }
        return;
      } catch (SQLException e) {
        // Two clients at once: one of them fails, and finds the table or tries again.
        if (tries == TRIES || SqlErrors.isRefusal(e)) {
          throw e;
        }
      }
    }
  }

  private List<String> definition() {
    String digits =
        IntStream.range(0, DIGITS)
            .mapToObj(n -> "SELECT " + n + (n == 0 ? " AS n" : ""))
            .collect(Collectors.joining(" UNION ALL ", "(", ")"));
    return List.of(
        "CREATE TABLE IF NOT EXISTS " + table + " (slot INTEGER NOT NULL PRIMARY KEY)" + suffix,
        "INSERT INTO "
            + table
            + " (slot) SELECT s.slot FROM (SELECT ((a.n * 16 + b.n) * 16 + c.n) * 16 + d.n AS slot"
            + " FROM "
            + digits
            + " a CROSS JOIN "
            + digits
            + " b CROSS JOIN "
            + digits
            + " c CROSS JOIN "
            + digits
            + " d) s LEFT JOIN "
            + table
            + " t ON t.slot = s.slot WHERE t.slot IS NULL ORDER BY s.slot");
  }

  private long count(Connection connection, String where) throws SQLException {
    return SqlStatements.first(
            connection, row -> row.getLong(1), "SELECT COUNT(*) FROM " + table + " " + where)
        .orElse(0L);
  }
}
