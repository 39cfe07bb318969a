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
   * somebody else inserted while we did, which is there at the second try.
   */
  private static final Set<Integer> AGAIN = Set.of(40001, 50200, 90131, 57014, 23505);

  /** Object closed, connection broken, database closed, in use by another process. */
  private static final Set<Integer> LOST = Set.of(90007, 90067, 90098, 90121, 90020);

  /** Of addresses: a relative path, a wrong form, an unknown mode, an unknown setting. */
  private static final Set<Integer> REFUSED = Set.of(90011, 90046, 90088, 90113);

  private static final Set<Integer> NO_TABLE = Set.of(42102, 42103, 42104);
  private static final int READ_ONLY = 90097;
  private static final int NOT_ENOUGH_RIGHTS = 90096;

  /** The dialect. */
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
  public String forUpdate() {
    return " for update";
  }

  @Override
  public String skipLocked() {
    return " for update skip locked";
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
    return TableWords.create(
        prefix, "varchar(64)", "varchar(512)", "varchar(64)", "varchar(60000)", "", "");
  }

  @Override
  public String counterTable(String prefix) {
    return TableWords.counter(prefix, "varchar(64)", "varchar(512)", "");
  }

  @Override
  public Trouble trouble(SQLException error) {
    int code = error.getErrorCode();
    if (AGAIN.contains(code)) {
      return Trouble.AGAIN;
    }
    if (LOST.contains(code)) {
      return Trouble.LOST;
    }
    if (REFUSED.contains(code)) {
      return Trouble.REFUSED;
    }
    if (NO_TABLE.contains(code)) {
      return Trouble.NO_TABLE;
    }
    return code == READ_ONLY ? Trouble.READ_ONLY : SqlStates.trouble(error);
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

  @Override
  public int lanes() {
    return 2;
  }

  /** With several it reads the whole namespace. */
  @Override
  public int namesAtOnce() {
    return 1;
  }

  /** It orders texts by the units of UTF-16, in which some are apart that are not in UTF-8. */
  @Override
  public String inBytes(String text) {
    return "stringtoutf8(" + text + ")";
  }

  /** It copies the table and renames the copy; several at once did not get what they asked for. */
  @Override
  public boolean altersTogether() {
    return false;
  }

  @Override
  public String session() {
    return "select session_id()";
  }

  @Override
  public String nameSession(String name) {
    return "set @holdfast_session = '" + name + "'";
  }

  @Override
  public List<Setting> sessionChanges() {
    return List.of(new Setting("select 'null'", "set @holdfast_session = %s"));
  }

  @Override
  public String sessionName() {
    return "concat(session_id(), '/', coalesce(@holdfast_session, ''))";
  }

  @Override
  public boolean isShared(String url) {
    String lower = url.toLowerCase(Locale.ROOT);
    return !lower.startsWith("jdbc:h2:mem:");
  }

  /** It writes late: what was committed just before it was killed may be gone. */
  @Override
  public boolean isDurable(String url) {
    return false;
  }

  @Override
  public boolean cancels() {
    return true;
  }
}
