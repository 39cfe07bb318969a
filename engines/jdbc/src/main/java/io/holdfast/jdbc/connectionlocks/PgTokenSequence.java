package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.LockName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * A token sequence of PostgreSQL. Taking a number or raising it flushes nothing to disk: a server
 * that loses the last numbers loses all sessions too, and every client that reconnects raises it to
 * the clock.
 *
 * <p>A sequence can be set back, so raising it must read and set without interruption: statements
 * that take numbers share an advisory lock, the gate, and a statement that raises takes it
 * exclusively.
 */
final class PgTokenSequence implements TokenCounter {

  private final String name;
  private final long gate;
  private final String raise;
  private final String take;

  PgTokenSequence(Dialect dialect, String name) {
    this.name = name;
    this.gate = LockName.gate(name).number();
    this.raise =
        gate("pg_advisory_xact_lock")
            + " select setval('"
            + name
            + "', greatest(nextval('"
            + name
            + "'), "
            + TokenCounter.ticks(dialect)
            + "::bigint)) from gate";
    this.take =
        with()
            + " select max(n) from (select "
            + next()
            + " as n from gate, generate_series(1, ?)) numbers";
  }

  /**
   * Returns the beginning of a statement that takes numbers; it must also select from {@code gate}.
   */
  public String with() {
    return gate("pg_advisory_xact_lock_shared");
  }

  /**
   * Returns the beginning of such a statement. The gate is never held while waiting for the disk.
   */
  private String gate(String lock) {
    return "with gate as materialized (select set_config('synchronous_commit', 'off', true), "
        + lock
        + "("
        + gate
        + "))";
  }

  /** Returns the next number, within a statement that begins so. */
  public String next() {
    return "nextval('" + name + "')";
  }

  @Override
  public List<String> creates() {
    return List.of("create sequence if not exists " + name + " as bigint maxvalue " + MOST);
  }

  @Override
  public void raise(JdbcConnection connection) throws SQLException {
    try (ResultSet rows = connection.prepare(raise).executeQuery()) {
      rows.next();
    }
  }

  @Override
  public long take(JdbcConnection connection, int count) throws SQLException {
    PreparedStatement statement = connection.prepare(take);
    statement.setInt(1, count);
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
