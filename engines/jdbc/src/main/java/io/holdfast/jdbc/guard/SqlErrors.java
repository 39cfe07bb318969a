package io.holdfast.jdbc.guard;

import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Set;

/** The meaning of database errors for guards. */
final class SqlErrors {

  /** PostgreSQL; MariaDB, MySQL and H2; H2 with a guess, and when it has no table at all. */
  private static final Set<String> NO_TABLE = Set.of("42P01", "42S02", "42S03", "42S04");

  /** Deadlock, and a row that changed since the snapshot: MariaDB and MySQL. */
  private static final Set<Integer> OVERTAKEN_IN_MYSQL = Set.of(1213, 1020);

  /** A row that changed since the snapshot: H2. */
  private static final int OVERTAKEN_IN_H2 = 90131;

  private SqlErrors() {}

  static boolean isMissingTable(SQLException e) {
    return NO_TABLE.contains(state(e)) || text(e).contains("no such table");
  }

  /**
   * Returns whether a repetition will be refused again: because of syntax, rights or a missing
   * feature.
   */
  static boolean isRefusal(SQLException e) {
    return state(e).startsWith("42")
        || state(e).startsWith("28")
        || e instanceof SQLFeatureNotSupportedException;
  }

  /**
   * Returns whether another transaction was in the way: nothing is written, and the whole
   * transaction may be tried again. Excludes lock timeouts: the caller has waited enough.
   */
  static boolean isConflict(SQLException e) {
    return state(e).startsWith("40")
        || OVERTAKEN_IN_MYSQL.contains(e.getErrorCode())
        || e.getErrorCode() == OVERTAKEN_IN_H2
        || text(e).startsWith("[SQLITE_BUSY")
        || text(e).startsWith("[SQLITE_LOCKED");
  }

  private static String state(SQLException e) {
    return e.getSQLState() == null ? "" : e.getSQLState();
  }

  private static String text(SQLException e) {
    return e.getMessage() == null ? "" : e.getMessage();
  }
}
