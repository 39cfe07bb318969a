package io.holdfast.jdbc.dialect;

import java.sql.SQLException;
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

  /** Creates the dialect. */
  public Sqlite() {}

  @Override
  public String product() {
    return "SQLite";
  }

  @Override
  public String nowMicros() {
    return "cast(unixepoch('subsec') * 1000000 as integer)";
  }

  /** Empty, because a write transaction locks the whole file. */
  @Override
  public String forUpdate() {
    return "";
  }

  @Override
  public String skipLocked() {
    return "";
  }

  @Override
  public List<String> tables(String prefix) {
    return TableDefinitions.create(
        prefix, "text", "text", "text", "text", " without rowid", " without rowid");
  }

  @Override
  public String counterTable(String prefix) {
    return TableDefinitions.counter(prefix, "text", "text", " without rowid");
  }

  @Override
  public ErrorKind errorKind(SQLException error) {
    String message = String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
    return switch (error.getErrorCode() & PRIMARY_CODE) {
      // Busy, locked, interrupted.
      case 5, 6, 9 -> ErrorKind.AGAIN;
      case FULL -> ErrorKind.FULL;
      case READ_ONLY -> ErrorKind.READ_ONLY;
      // No I/O, corrupt, cannot open, misused after close.
      case 10, 11, 14, 21 -> ErrorKind.LOST;
      case NOT_A_DATABASE -> ErrorKind.REFUSED;
      case ERROR ->
          message.contains("no such table") ? ErrorKind.NO_TABLE : ErrorKind.ofSqlState(error);
      default ->
          message.contains("closed") || message.contains("not open")
              ? ErrorKind.LOST
              : ErrorKind.ofSqlState(error);
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
    // In WAL mode a write that is not flushed is lost only with the machine, and all holders with
    // it.
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
  public String sessionNumber() {
    return "";
  }

  /** No locks live on connections here. */
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
  public boolean cancels() {
    return true;
  }

  /** Takes the write lock at once: a reader that wants to write later could only give up. */
  @Override
  public String begin() {
    return "begin immediate";
  }
}
