package io.holdfast.jdbc.guard;

import io.holdfast.jdbc.dialect.LockName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * PostgreSQL: advisory locks of the transaction. They are tried, because a wait could only fail.
 */
record AdvisoryGate() implements TransactionGate {

  /** Returns no row where the snapshot is that of the whole transaction. */
  private static final String TAKE =
      "SELECT pg_try_advisory_xact_lock(?) WHERE current_setting('transaction_isolation')"
          + " IN ('read committed', 'read uncommitted')";

  @Override
  public void create(Connection connection) {}

  @Override
  public boolean take(Connection connection, LockName lock) throws SQLException {
    Optional<Boolean> taken =
        SqlStatements.first(connection, row -> row.getBoolean(1), TAKE, lock.number());
    return taken.orElseThrow(() -> TransactionGate.tooOld("REPEATABLE READ or SERIALIZABLE"));
  }

  @Override
  public void requireThere(Connection connection, LockName lock) {}
}
