package io.holdfast.jdbc.dialect;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** MariaDB and MySQL, which differ little in what is used here. */
public final class MySqlFamily implements Dialect {

  private static final String IDLE_IN_TRANSACTION = "idle_transaction_timeout";

  /**
   * Too many connections, in all, of this user, or in an hour; shut down, killed, gone away, lost
   * during a query; taken offline by its operator.
   */
  private static final Set<Integer> LOST =
      Set.of(1040, 1053, 1203, 1226, 1927, 2006, 2013, 3032, 4031);

  /** A deadlock, a lock timeout, a record that changed, an interrupted or too long statement. */
  private static final Set<Integer> AGAIN = Set.of(1213, 1205, 1020, 1317, 1969, 3024);

  /** A full disk, a full table. */
  private static final Set<Integer> FULL = Set.of(1021, 1114);

  /** A replica, or a server in read-only mode. */
  private static final Set<Integer> READ_ONLY = Set.of(1290, 1792, 1836);

  /** To a database, a table, a column, a routine; a right of the whole server. */
  private static final Set<Integer> DENIED = Set.of(1044, 1142, 1143, 1227, 1370);

  private final boolean maria;

  private MySqlFamily(boolean maria) {
    this.maria = maria;
  }

  /** Returns the dialect of MariaDB, from 10.6 on. */
  public static MySqlFamily mariaDb() {
    return new MySqlFamily(true);
  }

  /** Returns the dialect of MySQL, from 8.0 on. */
  public static MySqlFamily mySql() {
    return new MySqlFamily(false);
  }

  /** Returns whether it is MariaDB. */
  public boolean isMaria() {
    return maria;
  }

  @Override
  public String product() {
    return maria ? "MariaDB" : "MySQL";
  }

  @Override
  public String nowMicros() {
    return "timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))";
  }

  /** Not {@code insert ignore}, which hides other errors too. */
  @Override
  public String insertAbsent(String table, String columns, String values) {
    String first = columns.substring(0, columns.indexOf(','));
    return Dialect.insert(table, columns, values)
        + " on duplicate key update "
        + first
        + " = "
        + first;
  }

  @Override
  public List<String> tables(String prefix) {
    String collated = collated();
    String suffix = " engine = InnoDB";
    return TableDefinitions.create(
        prefix,
        "varchar(64)" + collated,
        "varchar(512)" + collated,
        "varchar(64)" + collated,
        "text" + collated,
        suffix,
        suffix);
  }

  /** Without padding: trailing spaces in names count. */
  private String collated() {
    return " character set utf8mb4 collate " + (maria ? "utf8mb4_nopad_bin" : "utf8mb4_0900_bin");
  }

  @Override
  public String counterTable(String prefix) {
    return TableDefinitions.counter(
        prefix, "varchar(64)" + collated(), "varchar(512)" + collated(), " engine = InnoDB");
  }

  @Override
  public ErrorKind errorKind(SQLException error) {
    int code = error.getErrorCode();
    if (LOST.contains(code)) {
      return ErrorKind.LOST;
    }
    if (AGAIN.contains(code)) {
      return ErrorKind.AGAIN;
    }
    if (FULL.contains(code)) {
      return ErrorKind.FULL;
    }
    return READ_ONLY.contains(code) ? ErrorKind.READ_ONLY : ErrorKind.ofSqlState(error);
  }

  @Override
  public boolean lacksRight(SQLException error) {
    return DENIED.contains(error.getErrorCode());
  }

  @Override
  public Map<String, String> properties(Duration timeout, Duration connecting) {
    String millis = Long.toString(connecting.toMillis());
    // With two servers in the address, MySQL's driver would use the second read-only.
    Map<String, String> properties = new HashMap<>();
    properties.put("connectTimeout", millis);
    properties.put(READ_LIMIT, millis);
    properties.put("tcpKeepAlive", "true");
    if (!maria) {
      properties.put("failOverReadOnly", "false");
    }
    return properties;
  }

  @Override
  public List<String> settings(Duration timeout) {
    // In whole seconds, and at least one.
    long lock = Math.max(1, timeout.toSeconds() / 2);
    String waits = "set session innodb_lock_wait_timeout = " + lock;
    double statement = timeout.toMillis() * 0.75 / 1000;
    // A client whose network vanishes in the middle of a transaction would keep its rows locked
    // until the server misses it. MySQL has no such limit.
    long idle = Math.max(1, (timeout.toMillis() + 999) / 1000);
    // Variables that a statement sets and reads must exist before it, or it reads null.
    return maria
        ? List.of(
            waits
                + ", session max_statement_time = "
                + statement
                + ", session "
                + IDLE_IN_TRANSACTION
                + " = "
                + idle
                + ", @hf = 0, @ad = 0")
        : List.of(waits);
  }

  @Override
  public List<Setting> changes() {
    Setting waits = setting("innodb_lock_wait_timeout");
    return maria
        ? List.of(waits, setting("max_statement_time"), setting(IDLE_IN_TRANSACTION))
        : List.of(waits);
  }

  /** Returns a variable of the session. */
  public static Setting setting(String name) {
    return new Setting("select @@session." + name, "set session " + name + " = %s");
  }

  /** With the constant namespace in the order, it sorts all rows. */
  @Override
  public String orderInNamespace() {
    return "l.name";
  }

  @Override
  public String sessionNumber() {
    return "connection_id()";
  }

  @Override
  public String begin() {
    return "start transaction";
  }
}
