package io.holdfast.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** One kind of database. Stateless. */
public sealed interface Dialect permits PostgreSql, MySqlFamily, H2, Sqlite {

  /** What people call it. */
  String product();

  /** The database's own time in microseconds since 1970, as it is when the statement runs. */
  String nowMicros();

  /** What follows a select that locks its rows until the transaction ends. */
  String forUpdate();

  /**
   * A statement that inserts a row unless one with its key is there; it does not fail if one is.
   *
   * @param columns with commas between; the first of them are the key
   * @param values as many, of constants and question marks
   */
  String insertAbsent(String table, String columns, String values);

  /** The statements that create the tables whose names begin so; they do no harm to those there. */
  List<String> tables(String prefix);

  /** The statement that creates the table of counters; it does no harm to one that is there. */
  String counterTable(String prefix);

  /**
   * Ends a single-table delete so that it leaves alone what others have locked; empty if it cannot.
   */
  String skipLocked();

  /** What an error means. */
  Trouble trouble(SQLException error);

  /** Whether an error says that the user lacks a right. */
  default boolean lacksRight(SQLException error) {
    return "42501".equals(error.getSQLState());
  }

  /** What may be behind it that the database is busy, for people; empty if nothing special is. */
  default String whyBusy() {
    return "";
  }

  /**
   * Properties of a new connection that the address need not have.
   *
   * @param timeout of an operation
   * @param connecting how long it may take to connect
   */
  Map<String, String> properties(Duration timeout, Duration connecting);

  /** Statements for a new connection, so that the server gives up before the client does. */
  List<String> settings(Duration timeout);

  /** What those statements change, for connections that are given back as they were. */
  List<Setting> changes();

  /** Whether other processes see the locks of a database at this address. */
  boolean isShared(String url);

  /** Whether what was committed is there after the server was killed. */
  boolean isDurable(String url);

  /** How many lanes do best, beside the reserved one: found by measuring. */
  int lanes();

  /** How many names a select may have that is to find its rows by their key. */
  default int namesAtOnce() {
    return 256;
  }

  /** What orders the rows {@code l} of one namespace by their key so that nothing is sorted. */
  default String orderInNamespace() {
    return "l.ns, l.name";
  }

  /** A text as something that is ordered by its bytes in UTF-8; names of columns are, mostly. */
  default String inBytes(String text) {
    return text;
  }

  /** Whether several may change one table at the same time, of whom all but one are told no. */
  default boolean altersTogether() {
    return true;
  }

  /** A number of the server's session; empty where there are none. */
  String session();

  /**
   * A statement that gives a session a name of its own, which {@link #sessionName()} reads. Numbers
   * of sessions begin anew when the server does; names do not. Empty where there is no such thing.
   *
   * @param name letters and digits
   */
  String nameSession(String name);

  /** What {@link #nameSession} changes: a connection that is given back has no name. */
  List<Setting> sessionChanges();

  /** An expression: the number and the name of the session that answers, as one text. */
  String sessionName();

  /** Whether a statement that hangs is to be cancelled before its connection is aborted. */
  default boolean cancels() {
    return false;
  }

  /** Begins a transaction on a connection that is in autocommit. */
  default void begin(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
  }

  /** Commits what {@link #begin} began. */
  default void commit(Connection connection) throws SQLException {
    connection.commit();
    connection.setAutoCommit(true);
  }

  /** Undoes what {@link #begin} began. */
  default void rollback(Connection connection) throws SQLException {
    connection.rollback();
    connection.setAutoCommit(true);
  }
}
