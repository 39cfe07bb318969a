package io.holdfast.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** MariaDB and MySQL, which differ in little that we use. */
public final class MySqlFamily implements Dialect {

  /**
   * Too many connections, of all or of this user, or more than it may have in an hour; shut down,
   * killed, gone away, lost while asking; offline for a while, as its operator wants it.
   */
  private static final Set<Integer> LOST =
      Set.of(1040, 1053, 1203, 1226, 1927, 2006, 2013, 3032, 4031);

  /** A deadlock, a lock timeout, a record that changed, an interrupted or too long statement. */
  private static final Set<Integer> AGAIN = Set.of(1213, 1205, 1020, 1317, 1969, 3024);

  /** A full disk, a full table. */
  private static final Set<Integer> FULL = Set.of(1021, 1114);

  /** A replica, or a server that was told to write nothing. */
  private static final Set<Integer> READ_ONLY = Set.of(1290, 1792, 1836);

  /** To a database, a table, a column, a routine; a right of the whole server. */
  private static final Set<Integer> DENIED = Set.of(1044, 1142, 1143, 1227, 1370);

  private final boolean maria;

  private MySqlFamily(boolean maria) {
    this.maria = maria;
  }

  /** MariaDB from 10.6 on. */
  public static MySqlFamily mariaDb() {
    return new MySqlFamily(true);
  }

  /** MySQL from 8.0 on. */
  public static MySqlFamily mySql() {
    return new MySqlFamily(false);
  }

  /** Whether it is MariaDB. */
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

  @Override
  public String forUpdate() {
    return " for update";
  }

  @Override
  public String skipLocked() {
    return " for update skip locked";
  }

  /** Not {@code insert ignore}, which hides other errors too. */
  @Override
  public String insertAbsent(String table, String columns, String values) {
    String first = columns.substring(0, columns.indexOf(','));
    return "insert into "
        + table
        + " ("
        + columns
        + ") values ("
        + values
        + ") on duplicate key update "
        + first
        + " = "
        + first;
  }

  @Override
  public List<String> tables(String prefix) {
    String collated = collated();
    String suffix = " engine = InnoDB";
    return TableWords.create(
        prefix,
        "varchar(64)" + collated,
        "varchar(512)" + collated,
        "varchar(64)" + collated,
        "text" + collated,
        suffix,
        suffix);
  }

  /** Without padding: names that end in spaces are names of their own. */
  private String collated() {
    return " character set utf8mb4 collate " + (maria ? "utf8mb4_nopad_bin" : "utf8mb4_0900_bin");
  }

  @Override
  public String counterTable(String prefix) {
    return TableWords.counter(
        prefix, "varchar(64)" + collated(), "varchar(512)" + collated(), " engine = InnoDB");
  }

  @Override
  public Trouble trouble(SQLException error) {
    int code = error.getErrorCode();
    if (LOST.contains(code)) {
      return Trouble.LOST;
    }
    if (AGAIN.contains(code)) {
      return Trouble.AGAIN;
    }
    if (FULL.contains(code)) {
      return Trouble.FULL;
    }
    return READ_ONLY.contains(code) ? Trouble.READ_ONLY : SqlStates.trouble(error);
  }

  @Override
  public boolean lacksRight(SQLException error) {
    return DENIED.contains(error.getErrorCode());
  }

  @Override
  public Map<String, String> properties(Duration timeout, Duration connecting) {
    String millis = Long.toString(connecting.toMillis());
    // Of an address with two servers, MySQL's driver would only read from the second.
    return maria
        ? Map.of("connectTimeout", millis, "tcpKeepAlive", "true")
        : Map.of("connectTimeout", millis, "tcpKeepAlive", "true", "failOverReadOnly", "false");
  }

  @Override
  public List<String> settings(Duration timeout) {
    // In whole seconds, and at least one.
    long lock = Math.max(1, timeout.toSeconds() / 2);
    String waits = "set session innodb_lock_wait_timeout = " + lock;
    double statement = timeout.toMillis() * 0.75 / 1000;
    // Variables that a statement sets and reads must be there before it, or it reads null.
    return maria
        ? List.of(waits + ", session max_statement_time = " + statement + ", @hf = 0, @ad = 0")
        : List.of(waits);
  }

  @Override
  public List<Setting> changes() {
    Setting waits = setting("innodb_lock_wait_timeout");
    return maria ? List.of(waits, setting("max_statement_time")) : List.of(waits);
  }

  /** A variable of the session. */
  public static Setting setting(String name) {
    return new Setting("select @@session." + name, "set session " + name + " = %s");
  }

  @Override
  public int lanes() {
    return 2;
  }

  /** With the namespace, which is one and the same, it sorts all of them. */
  @Override
  public String orderInNamespace() {
    return "l.name";
  }

  @Override
  public String session() {
    return "select connection_id()";
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
    return "concat(connection_id(), '/', coalesce(@holdfast_session, ''))";
  }

  @Override
  public boolean isShared(String url) {
    return true;
  }

  @Override
  public boolean isDurable(String url) {
    return true;
  }

  /** Not by autocommit, which would be one more trip at each end. */
  @Override
  public void begin(Connection connection) throws SQLException {
    run(connection, "start transaction");
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
