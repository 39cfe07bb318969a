package io.holdfast.jdbc.dialect;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** PostgreSQL. */
public final class PostgreSql implements Dialect {

  private static final String IDLE_IN_TRANSACTION = "idle_in_transaction_session_timeout";

  /**
   * Shut down, crashed, starting up, idle for too long, idle in a transaction for too long, too
   * many connections.
   */
  private static final Set<String> LOST =
      Set.of("57P01", "57P02", "57P03", "57P05", "25P03", "53300");

  /**
   * A lock timeout, a statement timeout, an aborted transaction that must be run again; and a table
   * that another client creates at the same time, which exists at the second try: a key, a table,
   * or the type of a table.
   */
  private static final Set<String> AGAIN =
      Set.of("55P03", "57014", "25P02", "23505", "42P07", "42710");

  private static final String DISK_FULL = "53100";

  /** Creates the dialect. */
  public PostgreSql() {}

  @Override
  public String product() {
    return "PostgreSQL";
  }

  @Override
  public String nowMicros() {
    // Not now(), which stands still while a transaction waits.
    return "(extract(epoch from clock_timestamp()) * 1000000)::bigint";
  }

  @Override
  public List<String> tables(String prefix) {
    String text = "text collate \"C\"";
    // Half-empty pages: a row is written twice for every lock, and stays where it is.
    return TableDefinitions.create(prefix, text, text, text, "text", " with (fillfactor = 50)", "");
  }

  @Override
  public String counterTable(String prefix) {
    String text = "text collate \"C\"";
    return TableDefinitions.counter(prefix, text, text, " with (fillfactor = 50)");
  }

  @Override
  public ErrorKind errorKind(SQLException error) {
    String state = ErrorKind.state(error);
    if (LOST.contains(state)) {
      return ErrorKind.LOST;
    }
    if (state.equals(DISK_FULL)) {
      return ErrorKind.FULL;
    }
    if (AGAIN.contains(state) || state.startsWith("53") || state.startsWith("58")) {
      return ErrorKind.AGAIN;
    }
    return state.equals("42P01") ? ErrorKind.NO_TABLE : ErrorKind.ofSqlState(error);
  }

  @Override
  public Map<String, String> properties(Duration timeout, Duration connecting) {
    String seconds = Long.toString(Math.max(1, connecting.toSeconds()));
    return Map.of(
        "connectTimeout",
        seconds,
        "loginTimeout",
        seconds,
        Dialect.READ_LIMIT,
        seconds,
        "tcpKeepAlive",
        "true",
        "ApplicationName",
        "holdfast");
  }

  @Override
  public List<String> settings(Duration timeout) {
    long millis = timeout.toMillis();
    // A client whose network vanishes in the middle of a transaction would keep its rows locked
    // until the server misses it, which takes hours by default. No client goes on with a
    // transaction after the timeout of its call.
    // One trip. Plans are made once, perhaps while the table is small: they must find rows by their
    // key, and in its order where only the first ones are wanted. Statements of a fraction of a
    // millisecond are not worth compiling, nor a separate plan for every length of a batch.
    return List.of(
        "select set_config('lock_timeout', '"
            + Math.max(1, millis / 2)
            + "', false), set_config('statement_timeout', '"
            + Math.max(1, millis * 3 / 4)
            + "', false), set_config('"
            + IDLE_IN_TRANSACTION
            + "', '"
            + millis
            + "', false), set_config('enable_seqscan', 'off', false),"
            + " set_config('enable_bitmapscan', 'off', false), set_config('enable_hashjoin', 'off', false),"
            + " set_config('enable_mergejoin', 'off', false), set_config('jit', 'off', false),"
            + " set_config('plan_cache_mode', 'force_generic_plan', false),"
            + " set_config('holdfast.client', 'on', false)");
  }

  @Override
  public List<Setting> changes() {
    Setting client =
        new Setting(
            "select coalesce(current_setting('holdfast.client', true), '')",
            "set holdfast.client = '%s'");
    Stream<Setting> settings =
        Stream.of(
                "lock_timeout",
                "statement_timeout",
                IDLE_IN_TRANSACTION,
                "enable_seqscan",
                "enable_bitmapscan",
                "enable_hashjoin",
                "enable_mergejoin",
                "jit",
                "plan_cache_mode")
            .map(PostgreSql::setting);
    return Stream.concat(settings, Stream.of(client)).toList();
  }

  /** Returns a parameter of the session. */
  public static Setting setting(String name) {
    return new Setting("select current_setting('" + name + "', true)", "set " + name + " = '%s'");
  }

  @Override
  public String sessionNumber() {
    return "pg_backend_pid()";
  }

  @Override
  public String nameSession(String name) {
    return "select set_config('holdfast.session', '" + name + "', false)";
  }

  @Override
  public List<Setting> sessionChanges() {
    return List.of(new Setting("select ''", "set holdfast.session = '%s'"));
  }

  @Override
  public String sessionName() {
    return "concat(pg_backend_pid(), '/', current_setting('holdfast.session', true))";
  }
}
