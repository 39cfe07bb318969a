package io.holdfast.jdbc.kept;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.wire.Link;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * A sequence. To take a number of it, or to raise it, flushes nothing to disk: a server that loses
 * the last of it loses all sessions too, and whoever connects again raises it to the clock.
 *
 * <p>A sequence can be set back, so to raise it is to read and to set with nobody in between:
 * whoever takes numbers shares an advisory lock, the gate, for the length of its statement, and who
 * raises has it for itself.
 */
public final class PgMint implements Mint {

  private final String name;
  private final long gate;
  private final String raise;
  private final String take;

  PgMint(Dialect dialect, String name) {
    this.name = name;
    this.gate = LockName.gate(name).number();
    this.raise =
        gate("pg_advisory_xact_lock")
            + " select setval('"
            + name
            + "', greatest(nextval('"
            + name
            + "'), "
            + Mint.ticks(dialect)
            + "::bigint)) from gate";
    this.take =
        with()
            + " select max(n) from (select "
            + next()
            + " as n from gate, generate_series(1, ?)) numbers";
  }

  /** Begins a statement that takes numbers; it must also select from {@code gate}. */
  public String with() {
    return gate("pg_advisory_xact_lock_shared");
  }

  /** Nobody waits for the disk with the gate in hand. */
  private String gate(String lock) {
    return "with gate as materialized (select set_config('synchronous_commit', 'off', true), "
        + lock
        + "("
        + gate
        + "))";
  }

  /** The next number, within a statement that begins so. */
  public String next() {
    return "nextval('" + name + "')";
  }

  @Override
  public List<String> creates() {
    return List.of("create sequence if not exists " + name + " as bigint maxvalue " + MOST);
  }

  @Override
  public void raise(Link link) throws SQLException {
    try (ResultSet rows = link.prepare(raise).executeQuery()) {
      rows.next();
    }
  }

  @Override
  public long take(Link link, int count) throws SQLException {
    PreparedStatement statement = link.prepare(take);
    statement.setInt(1, count);
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
