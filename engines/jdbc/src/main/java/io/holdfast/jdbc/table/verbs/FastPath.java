package io.holdfast.jdbc.table.verbs;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.H2;
import io.holdfast.jdbc.dialect.MySqlFamily;
import io.holdfast.jdbc.dialect.PostgreSql;
import io.holdfast.jdbc.dialect.Sqlite;
import io.holdfast.jdbc.table.layout.TableSql;
import io.holdfast.jdbc.table.layout.VerbResult;
import io.holdfast.spi.Verb;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs all verbs of a kind in one statement, where their rows allow it.
 *
 * <p>Only for resources without an order. The statement is committed by itself. Verbs that it does
 * not complete are unchanged and go to the {@link TransactionPath}.
 */
public interface FastPath {

  /** Returns the results of attempts that are granted now, whether newly or still. */
  List<VerbResult> attempts(JdbcConnection connection, List<Verb> attempts) throws SQLException;

  /** Returns the results of renewals of holders. */
  List<VerbResult> renewals(JdbcConnection connection, List<Verb> renewals) throws SQLException;

  /** Returns the results of leaves of holders, none of them in doubt. */
  List<VerbResult> leaves(JdbcConnection connection, List<Verb> leaves) throws SQLException;

  /**
   * Returns the fast path of a database; null where there is none.
   *
   * @param signals whether waiters are notified
   */
  static @Nullable FastPath of(TableSql sql, Dialect dialect, boolean signals) {
    if (dialect instanceof PostgreSql) {
      return new PgFastPath(sql, signals);
    }
    if (dialect instanceof Sqlite) {
      return new SqliteFastPath(sql);
    }
    if (dialect instanceof H2) {
      return new H2FastPath(sql);
    }
    // MySQL's inserts do not return what they did.
    return dialect instanceof MySqlFamily family && family.isMaria()
        ? new MariaDbFastPath(sql)
        : null;
  }
}
