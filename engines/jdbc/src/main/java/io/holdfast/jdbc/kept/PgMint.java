package io.holdfast.jdbc.kept;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.wire.Link;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * A sequence. To take a number of it flushes nothing to disk.
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
        "with gate as materialized (select pg_advisory_xact_lock("
            + gate
            + ")) select setval('"
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
    return "with gate as materialized (select pg_advisory_xact_lock_shared(" + gate + "))";
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
