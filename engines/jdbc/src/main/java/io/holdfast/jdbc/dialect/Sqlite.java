package io.holdfast.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** SQLite: a file that the processes of one machine share. */
public final class Sqlite implements Dialect {

  private static final int PRIMARY_CODE = 0xff;
  private static final int ERROR = 1;
  private static final int READ_ONLY = 8;
  private static final int FULL = 13;
  private static final int NOT_A_DATABASE = 26;

  /** The dialect. */
  public Sqlite() {}

  @Override
  public String product() {
    return "SQLite";
  }

  @Override
  public String nowMicros() {
    return "cast(unixepoch('subsec') * 1000000 as integer)";
  }

  /** A transaction here has the file to itself. */
  @Override
  public String forUpdate() {
    return "";
  }

  @Override
  public String skipLocked() {
    return "";
  }

  @Override
  public String insertAbsent(String table, String columns, String values) {
    return "insert into "
        + table
        + " ("
        + columns
        + ") values ("
        + values
        + ") on conflict do nothing";
  }

  @Override
  public List<String> tables(String prefix) {
    return TableWords.create(
        prefix, "text", "text", "text", "text", " without rowid", " without rowid");
  }

  @Override
  public String counterTable(String prefix) {
    return TableWords.counter(prefix, "text", "text", " without rowid");
  }

  @Override
  public Trouble trouble(SQLException error) {
    String message = String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
    return switch (error.getErrorCode() & PRIMARY_CODE) {
      // Busy, locked, interrupted.
      case 5, 6, 9 -> Trouble.AGAIN;
      case FULL -> Trouble.FULL;
      case READ_ONLY -> Trouble.READ_ONLY;
      // No I/O, corrupt, cannot open, misused after close.
      case 10, 11, 14, 21 -> Trouble.LOST;
      case NOT_A_DATABASE -> Trouble.REFUSED;
      case ERROR -> message.contains("no such table") ? Trouble.NO_TABLE : SqlStates.trouble(error);
      default ->
          message.contains("closed") || message.contains("not open")
              ? Trouble.LOST
              : SqlStates.trouble(error);
    };
  }

  @Override
  public String whyBusy() {
    return "; a file has one writer at a time, and a write transaction of this program on the same"
        + " file keeps its own locks out: give the locks a file of their own";
  }

  @Override
  public Map<String, String> properties(Duration timeout, Duration connecting) {
    long millis = Math.max(1, timeout.toMillis() / 2);
    // In WAL mode a write that is not flushed is lost only with the machine, and with it go all
    // that could believe in it.
    return Map.of(
        "busy_timeout", Long.toString(millis), "journal_mode", "WAL", "synchronous", "NORMAL");
  }

  @Override
  public List<String> settings(Duration timeout) {
    return List.of();
  }

  @Override
  public List<Setting> changes() {
    return List.of();
  }

  @Override
  public int lanes() {
    return 1;
  }

  @Override
  public String session() {
    return "";
  }

  /** Nobody's locks live on a connection here. */
  @Override
  public String nameSession(String name) {
    return "";
  }

  @Override
  public List<Setting> sessionChanges() {
    return List.of();
  }

  @Override
  public String sessionName() {
    return "''";
  }

  @Override
  public boolean isShared(String url) {
    return true;
  }

  @Override
  public boolean isDurable(String url) {
    return true;
  }

  @Override
  public boolean cancels() {
    return true;
  }

  /** At once for writing: a reader that wants to write later could only give up. */
  @Override
  public void begin(Connection connection) throws SQLException {
    run(connection, "begin immediate");
  }

  @Override
  public void commit(Connection connection) throws SQLException {
    run(connection, "commit");
  }

  @Override
  public void rollback(Connection connection) throws SQLException {
    run(connection, "rollback");
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
