package io.holdfast.jdbc.kept;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.wire.Link;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** A sequence of MariaDB, which cannot be set back. One number in a thousand is flushed to disk. */
public final class MariaMint implements Mint {

  private static final int NO_ROW = 1032;

  private final Dialect dialect;
  private final String name;

  MariaMint(Dialect dialect, String name) {
    this.dialect = dialect;
    this.name = name;
  }

  /** The next number, within a statement. */
  public String next() {
    return "nextval(" + name + ")";
  }

  @Override
  public List<String> creates() {
    return List.of("create sequence if not exists " + options());
  }

  private String options() {
    return name + " maxvalue " + MOST + " cache 1000 nocycle";
  }

  /**
   * A server that is killed within a second after it created a sequence has the table and not its
   * row. It loses nothing to begin again, as it is raised to the clock.
   */
  @Override
  public List<String> mends(SQLException error) {
    return error.getErrorCode() == NO_ROW
        ? List.of("create or replace sequence " + options())
        : List.of();
  }

  /** In two steps, as it is set only to a number that stands in the statement. */
  @Override
  public void raise(Link link) throws SQLException {
    long ticks = number(link, "select " + Mint.ticks(dialect));
    link.execute(List.of("select setval(" + name + ", " + ticks + ")"));
  }

  @Override
  public long take(Link link, int count) throws SQLException {
    long last = 0;
    for (int i = 0; i < count; i++) {
      last = number(link, "select " + next());
    }
    return last;
  }

  private static long number(Link link, String sql) throws SQLException {
    try (ResultSet rows = link.prepare(sql).executeQuery()) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
