package io.holdfast.jdbc.dialect;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** H2, in memory, in a file or as a server. */
public final class H2 implements Dialect {

  /**
   * A deadlock, a lock timeout, a row that changed meanwhile, a cancelled statement; and a row that
   * another client inserted at the same time, which exists at the second try.
   */
  private static final Set<Integer> AGAIN = Set.of(40001, 50200, 90131, 57014, 23505);

  /** Object closed, connection broken, database closed, in use by another process. */
  private static final Set<Integer> LOST = Set.of(90007, 90067, 90098, 90121, 90020);

  /** Of addresses: a relative path, a wrong form, an unknown mode, an unknown setting. */
  private static final Set<Integer> REFUSED = Set.of(90011, 90046, 90088, 90113);

  private static final Set<Integer> NO_TABLE = Set.of(42102, 42103, 42104);
  private static final int READ_ONLY = 90097;
  private static final int NOT_ENOUGH_RIGHTS = 90096;

  /** Creates the dialect. */
  public H2() {}

  @Override
  public String product() {
    return "H2";
  }

  @Override
  public String nowMicros() {
    return "datediff(microsecond, timestamp with time zone '1970-01-01 00:00:00+00',"
        + " current_timestamp)";
  }

  @Override
  public String insertAbsent(String table, String columns, String values) {
    String[] names = columns.split(", ", -1);
    StringBuilder on = new StringBuilder();
    for (int i = 0; i < names.length; i++) {
      if (i == 0 || names[i].equals("name")) {
        on.append(i == 0 ? "" : " and ").append("t." + names[i] + " = s." + names[i]);
      }
    }
    return "merge into "
        + table
        + " t using (values ("
        + values.replace("?", "cast(? as varchar)")
        + ")) s ("
        + columns
        + ") on "
        + on
        + " when not matched then insert ("
        + columns
        + ") values (s."
        + String.join(", s.", names)
        + ")";
  }

  @Override
  public List<String> tables(String prefix) {
    return TableDefinitions.create(
        prefix, "varchar(64)", "varchar(512)", "varchar(64)", "varchar(60000)", "", "");
  }

  @Override
  public String counterTable(String prefix) {
    return TableDefinitions.counter(prefix, "varchar(64)", "varchar(512)", "");
  }

  @Override
  public ErrorKind errorKind(SQLException error) {
    int code = error.getErrorCode();
    if (AGAIN.contains(code)) {
      return ErrorKind.AGAIN;
    }
    if (LOST.contains(code)) {
      return ErrorKind.LOST;
    }
    if (REFUSED.contains(code)) {
      return ErrorKind.REFUSED;
    }
    if (NO_TABLE.contains(code)) {
      return ErrorKind.NO_TABLE;
    }
    return code == READ_ONLY ? ErrorKind.READ_ONLY : ErrorKind.ofSqlState(error);
  }

  @Override
  public boolean lacksRight(SQLException error) {
    return error.getErrorCode() == NOT_ENOUGH_RIGHTS;
  }

  @Override
  public Map<String, String> properties(Duration timeout, Duration connecting) {
    return Map.of();
  }

  @Override
  public List<String> settings(Duration timeout) {
    long millis = timeout.toMillis();
    return List.of(
        "set lock_timeout " + Math.max(1, millis / 2),
        "set query_timeout " + Math.max(1, millis * 3 / 4));
  }

  @Override
  public List<Setting> changes() {
    return List.of(
        new Setting("select lock_timeout()", "set lock_timeout %s"),
        new Setting(
            "select setting_value from information_schema.settings"
                + " where setting_name = 'QUERY_TIMEOUT'",
            "set query_timeout %s"));
  }

  /** With several names it reads the whole namespace. */
  @Override
  public int namesAtOnce() {
    return 1;
  }

  /** It orders texts by UTF-16 units, which differs from the order in UTF-8. */
  @Override
  public String inBytes(String text) {
    return "stringtoutf8(" + text + ")";
  }

  /** It copies the table and renames the copy; several at once interfere. */
  @Override
  public boolean altersTogether() {
    return false;
  }

  @Override
  public String sessionNumber() {
    return "session_id()";
  }

  @Override
  public boolean isShared(String url) {
    String lower = url.toLowerCase(Locale.ROOT);
    return !lower.startsWith("jdbc:h2:mem:");
  }

  /** It writes late: the last commits before a kill may be lost. */
  @Override
  public boolean isDurable(String url) {
    return false;
  }

  @Override
  public boolean cancels() {
    return true;
  }
}
