package io.holdfast.jdbc.dialect;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLTransientException;

/** What a database error means for the statement that failed. */
public enum ErrorKind {
  /** Rolled back, and worth another try: a deadlock, a lock or statement timeout. */
  AGAIN,
  /** Rolled back because the disk is full: an operator must make room. */
  FULL,
  /** The connection can no longer be used. */
  LOST,
  /** This server is read-only: a replica, or a demoted primary. */
  READ_ONLY,
  /** Our tables are missing. */
  NO_TABLE,
  /** Permanent: rights, passwords, unsupported statements. */
  REFUSED;

  private static final String NO_SUCH_TABLE = "42S02";

  static ErrorKind ofSqlState(SQLException error) {
    String state = state(error);
    if (state.startsWith("08") || isOfConnection(error)) {
      return LOST;
    }
    if (state.equals("25006")) {
      return READ_ONLY;
    }
    if (state.equals(NO_SUCH_TABLE)) {
      return NO_TABLE;
    }
    if (state.startsWith("40")
        || error instanceof SQLTimeoutException
        || error instanceof SQLTransientException) {
      return AGAIN;
    }
    return REFUSED;
  }

  /** Returns the state of an error, never null. */
  static String state(SQLException error) {
    String state = error.getSQLState();
    return state == null ? "" : state;
  }

  private static boolean isOfConnection(SQLException error) {
    return error instanceof SQLRecoverableException
        || error instanceof SQLNonTransientConnectionException
        || error instanceof SQLTransientConnectionException;
  }
}
