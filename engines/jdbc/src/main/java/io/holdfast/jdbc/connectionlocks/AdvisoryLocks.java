package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.jdbc.connection.OtherSessionException;
import io.holdfast.jdbc.dialect.LockName;
import io.holdfast.jdbc.dialect.PostgreSql;
import io.holdfast.jdbc.dialect.Setting;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Advisory locks of PostgreSQL. Each statement has one text, for any number of locks. */
final class AdvisoryLocks implements SessionLocks {

  /** Whether another session has it; we never keep it for longer than this expression. */
  private static final String TAKEN_BY_ANOTHER =
      "case when pg_try_advisory_lock(t.w) then not pg_advisory_unlock(t.w) else true end";

  private static final String ID = new PostgreSql().sessionName();

  private static final String MARK =
      "select array(select pg_try_advisory_lock(t.w) from unnest(?) as t(w))";
  private static final String FREE =
      "select array(select pg_advisory_unlock(t.w) from unnest(?) as t(w))";
  private static final String PROBE =
      "select array(select " + TAKEN_BY_ANOTHER + " from unnest(?) as t(w)), " + ID;

  private final String take;
  private final String exchange;

  AdvisoryLocks(ModeTables tables, PgTokenSequence tokenCounter) {
    // A CASE is evaluated in order: no number is taken without the lock.
    take =
        tokenCounter.with()
            + " select t.i, t.known, case when "
            + ID
            + " <> ?::text then null"
            + " when coalesce(t.known, 0) > t.g then null"
            + " when pg_try_advisory_lock(t.k) then "
            + tokenCounter.next()
            + " end, "
            + TAKEN_BY_ANOTHER
            + ", "
            + ID
            + " from gate, (select a.*, "
            + tables.generation("a.ns")
            + " as known from unnest(?, ?, ?, ?) with ordinality as a(k, w, ns, g, i)) t";
    exchange = FREE + "; " + take;
  }

  @Override
  public List<Taken> take(JdbcConnection connection, String session, List<Wish> wishes)
      throws SQLException {
    PreparedStatement statement = connection.prepare(take);
    set(statement, 1, session, wishes);
    try (ResultSet rows = statement.executeQuery()) {
      return taken(rows, session, wishes.size());
    }
  }

  /** The driver sends both statements together; the server runs them one after the other. */
  @Override
  public Exchanged exchange(
      JdbcConnection connection, String session, List<LockName> names, List<Wish> wishes)
      throws SQLException {
    PreparedStatement statement = connection.prepare(exchange);
    statement.setArray(1, array(statement, "bigint", names, LockName::number));
    set(statement, 2, session, wishes);
    statement.execute();
    List<Boolean> freed;
    try (ResultSet rows = statement.getResultSet()) {
      freed = answers(rows);
    }
    statement.getMoreResults();
    try (ResultSet rows = statement.getResultSet()) {
      return new Exchanged(freed, taken(rows, session, wishes.size()));
    }
  }

  private static void set(PreparedStatement statement, int first, String session, List<Wish> wishes)
      throws SQLException {
    statement.setString(first, session);
    statement.setArray(first + 1, array(statement, "bigint", wishes, wish -> wish.lock().number()));
    statement.setArray(
        first + 2, array(statement, "bigint", wishes, wish -> wish.wanted().number()));
    statement.setArray(first + 3, array(statement, "text", wishes, Wish::namespace));
    statement.setArray(first + 4, array(statement, "integer", wishes, Wish::generation));
  }

  private static List<Taken> taken(ResultSet rows, String session, int count) throws SQLException {
    Taken[] taken = new Taken[count];
    while (rows.next()) {
      if (!session.equals(rows.getString(5))) {
        throw new OtherSessionException();
      }
      taken[rows.getInt(1) - 1] = new Taken(rows.getInt(2), rows.getLong(3), rows.getBoolean(4));
    }
    return Arrays.asList(taken);
  }

  @Override
  public List<Boolean> mark(JdbcConnection connection, List<LockName> names) throws SQLException {
    try (ResultSet rows = ask(connection, MARK, names)) {
      return answers(rows);
    }
  }

  @Override
  public List<Boolean> free(JdbcConnection connection, List<LockName> names) throws SQLException {
    try (ResultSet rows = ask(connection, FREE, names)) {
      return answers(rows);
    }
  }

  @Override
  public Alive probe(JdbcConnection connection, List<LockName> wanted) throws SQLException {
    try (ResultSet rows = ask(connection, PROBE, wanted)) {
      List<Boolean> answers = answers(rows);
      return new Alive(rows.getString(2), answers);
    }
  }

  private static ResultSet ask(JdbcConnection connection, String sql, List<LockName> names)
      throws SQLException {
    PreparedStatement statement = connection.prepare(sql);
    statement.setArray(1, array(statement, "bigint", names, LockName::number));
    return statement.executeQuery();
  }

  private static List<Boolean> answers(ResultSet rows) throws SQLException {
    rows.next();
    return List.of((Boolean[]) rows.getArray(1).getArray());
  }

  private static <T> Array array(
      PreparedStatement statement, String type, List<T> all, Function<T, Object> value)
      throws SQLException {
    Object[] values = all.stream().map(value).toArray();
    return statement.getConnection().createArrayOf(type, values);
  }

  /**
   * From version 14 on the server ends a session that is silent for a lease, such as of a stopped
   * client. Older servers notice only a machine that is gone, by its network.
   */
  @Override
  public List<String> settings(Duration lease) {
    long millis = lease.toMillis();
    long third = Math.max(1, lease.toSeconds() / 3);
    // Two trips: the second is one text.
    return List.of(
        "select set_config(name, '"
            + millis
            + "', false) from pg_settings where name = 'idle_session_timeout'",
        "set tcp_keepalives_idle = "
            + third
            + "; set tcp_keepalives_interval = "
            + third
            + "; set tcp_keepalives_count = 2; set tcp_user_timeout = "
            + millis);
  }

  @Override
  public List<Setting> changes() {
    return Stream.of(
            "idle_session_timeout",
            "tcp_keepalives_idle",
            "tcp_keepalives_interval",
            "tcp_keepalives_count",
            "tcp_user_timeout")
        .map(PostgreSql::setting)
        .toList();
  }

  @Override
  public String freeAll() {
    return "select pg_advisory_unlock_all()";
  }
}
