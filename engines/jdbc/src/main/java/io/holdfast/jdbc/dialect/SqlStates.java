package io.holdfast.jdbc.dialect;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLTransientException;

/** What the standard says of errors; each database adds its own. */
final class SqlStates {

  private static final String NO_SUCH_TABLE = "42S02";

  private SqlStates() {}

  static Trouble trouble(SQLException error) {
    String state = state(error);
    if (state.startsWith("08") || isOfConnection(error)) {
      return Trouble.LOST;
    }
    if (state.equals("25006")) {
      return Trouble.READ_ONLY;
    }
    if (state.equals(NO_SUCH_TABLE)) {
      return Trouble.NO_TABLE;
    }
    if (state.startsWith("40")
        || error instanceof SQLTimeoutException
        || error instanceof SQLTransientException) {
      return Trouble.AGAIN;
    }
    return Trouble.REFUSED;
  }

  /** The state of an error, never null. */
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
