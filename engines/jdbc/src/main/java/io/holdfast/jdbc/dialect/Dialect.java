package io.holdfast.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** One kind of database: its SQL, settings and errors. Stateless. */
public sealed interface Dialect permits PostgreSql, MySqlFamily, H2, Sqlite {

  /**
   * Returns the dialect of the databases that a URL scheme names.
   *
   * @param scheme such as {@code postgresql}
   */
  static Dialect of(String scheme) {
    return switch (scheme) {
      case "postgresql" -> new PostgreSql();
      case "mariadb" -> MySqlFamily.mariaDb();
      case "mysql" -> MySqlFamily.mySql();
      case "h2" -> new H2();
      case "sqlite" -> new Sqlite();
      default -> throw new IllegalArgumentException("unknown kind of database: " + scheme);
    };
  }

  /** Returns the product's name. */
  String product();

  /**
   * Returns the database's own time in microseconds since 1970, as it is when the statement runs.
   */
  String nowMicros();

  /** Returns the suffix of a select that locks its rows until the transaction ends. */
  default String forUpdate() {
    return " for update";
  }

  /**
   * Returns a statement that inserts a row unless its key exists; it does not fail if it does.
   *
   * @param columns separated by commas; the first ones are the key
   * @param values as many, of constants and question marks
   */
  default String insertAbsent(String table, String columns, String values) {
    return insert(table, columns, values) + " on conflict do nothing";
  }

  /** Returns an insert of one row. */
  static String insert(String table, String columns, String values) {
    return "insert into " + table + " (" + columns + ") values (" + values + ")";
  }

  /** Returns the statements that create the tables with this prefix; harmless if they exist. */
  List<String> tables(String prefix);

  /** Returns the statement that creates the table of counters; harmless if it exists. */
  String counterTable(String prefix);

  /**
   * Returns the suffix of a select that locks its rows and skips locked ones; empty if there is
   * none.
   */
  default String skipLocked() {
    return " for update skip locked";
  }

  /** Returns the kind of an error. */
  ErrorKind errorKind(SQLException error);

  /** Returns whether an error reports a missing right of the user. */
  default boolean lacksRight(SQLException error) {
    return "42501".equals(error.getSQLState());
  }

  /** Returns a hint for messages why the database may be busy; empty if there is none. */
  default String whyBusy() {
    return "";
  }

  /**
   * The property that limits each read during the login. Some drivers do not limit the login
   * otherwise: MySQL's would wait for ever for a server that accepts connections and sends nothing,
   * and so would a thread of PostgreSQL's. The limit is removed after the login.
   */
  String READ_LIMIT = "socketTimeout";

  /**
   * Returns the default properties of a new connection.
   *
   * @param timeout of an operation
   * @param connecting how long it may take to connect
   */
  Map<String, String> properties(Duration timeout, Duration connecting);

  /**
   * Returns the settings of a new connection, so that the server gives up before the client does.
   */
  List<String> settings(Duration timeout);

  /**
   * Returns the settings that those statements change, for connections that are given back as they
   * were.
   */
  List<Setting> changes();

  /** Returns whether other processes see the locks of a database at this address. */
  default boolean isShared(String url) {
    return true;
  }

  /** Returns whether commits survive a kill of the server. */
  default boolean isDurable(String url) {
    return true;
  }

  /** Returns the best number of lanes besides the reserved one, found by measuring. */
  default int lanes() {
    return 2;
  }

  /** Returns how many names a select may have that must find its rows by their key. */
  default int namesAtOnce() {
    return 256;
  }

  /** Returns the order of the rows {@code l} of one namespace by their key, without sorting. */
  default String orderInNamespace() {
    return "l.ns, l.name";
  }

  /** Returns an expression that orders a text by its bytes in UTF-8; mostly the column itself. */
  default String inBytes(String text) {
    return text;
  }

  /**
   * Returns whether several clients may change one table at the same time; all but one are refused.
   */
  default boolean altersTogether() {
    return true;
  }

  /** Returns an expression: the number of the session; empty where there are none. */
  String sessionNumber();

  /**
   * Returns a statement that gives a session a name of its own, which {@link #sessionName()} reads.
   * Session numbers start again when the server does; names do not. Empty where there are no
   * sessions. The default is a user variable of the session.
   *
   * @param name letters and digits
   */
  default String nameSession(String name) {
    return "set @holdfast_session = '" + name + "'";
  }

  /**
   * Returns the settings that {@link #nameSession} changes: a connection that is given back has no
   * name.
   */
  default List<Setting> sessionChanges() {
    return List.of(new Setting("select 'null'", "set @holdfast_session = %s"));
  }

  /** Returns an expression: the number and the name of the session, as one text. */
  default String sessionName() {
    return "concat(" + sessionNumber() + ", '/', coalesce(@holdfast_session, ''))";
  }

  /** Returns whether a hanging statement must be cancelled before its connection is aborted. */
  default boolean cancels() {
    return false;
  }

  /**
   * Returns a statement that begins a transaction, where that is better than switching autocommit
   * off and on again, which costs one more trip at each end; empty where it is not.
   */
  default String begin() {
    return "";
  }

  /** Begins a transaction on a connection that is in autocommit. */
  default void begin(Connection connection) throws SQLException {
    if (begin().isEmpty()) {
      connection.setAutoCommit(false);
    } else {
      run(connection, begin());
    }
  }

  /** Commits what {@link #begin(Connection)} began. */
  default void commit(Connection connection) throws SQLException {
    if (begin().isEmpty()) {
      connection.commit();
      connection.setAutoCommit(true);
    } else {
      run(connection, "commit");
    }
  }

  /** Undoes what {@link #begin(Connection)} began. */
  default void rollback(Connection connection) throws SQLException {
    if (begin().isEmpty()) {
      connection.rollback();
      connection.setAutoCommit(true);
    } else {
      run(connection, "rollback");
    }
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
