package io.holdfast.jdbc;

import java.util.regex.Pattern;

/**
 * Which database, and how its tables are used. Immutable; each {@code with…} answers a changed copy
 * and says no to what is out of bounds. Nothing here shows a password: not {@link #toString()}, not
 * {@link #address()}, no error.
 *
 * @param url the address as the driver knows it, with whatever secrets it has
 * @param database what kind of database it is
 * @param mode how locks are kept in it
 * @param prefix what the names of the tables begin with; a schema may stand before it, with a dot
 * @param create whether tables that are missing are created
 * @param signals whether waiters are signalled where the database can; if not, they poll
 * @param rowConnections how many locks a client can hold at once in the mode row, 1 to 1000
 * @param user for the database, if the address has none
 * @param password for the database, if the address has none
 */
public record JdbcOptions(
    String url,
    Database database,
    Mode mode,
    String prefix,
    boolean create,
    boolean signals,
    int rowConnections,
    String user,
    String password) {

  /** What tables are called unless told otherwise. */
  public static final String PREFIX = "holdfast_";

  /** How many locks a client can hold at once in the mode row, unless told otherwise. */
  public static final int ROW_CONNECTIONS = 10;

  private static final int MOST_ROW_CONNECTIONS = 1000;

  private static final Pattern PREFIXES =
      Pattern.compile("([A-Za-z_][A-Za-z0-9_]{0,39}\\.)?[A-Za-z_][A-Za-z0-9_]{0,39}");

  /** The databases that are known. */
  public enum Database {
    /** PostgreSQL, from 13 on. */
    POSTGRESQL,
    /** MariaDB, from 10.6 on. */
    MARIADB,
    /** MySQL, from 8.0 on. */
    MYSQL,
    /** H2, from 2.2 on. */
    H2,
    /** SQLite, from 3.42 on. */
    SQLITE
  }

  /** How locks are kept in a database. */
  public enum Mode {
    /** A row for each resource, with a lease: works wherever single statements work. */
    TABLE,
    /** A lock of the client's session, all on one connection: fast, and over with the session. */
    SESSION,
    /** A row that is locked by an open transaction: a connection for each lock that is held. */
    ROW
  }

  /** Says no to what is out of bounds. */
  public JdbcOptions {
    if (!PREFIXES.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "table must be a plain name that the tables' names begin with, letters, digits and _,"
              + " with or without a schema: table="
              + prefix);
    }
    if (rowConnections < 1 || rowConnections > MOST_ROW_CONNECTIONS) {
      throw new IllegalArgumentException(
          "rowConnections must be 1.."
              + MOST_ROW_CONNECTIONS
              + ": rowConnections="
              + rowConnections);
    }
  }

  /**
   * The options in an address, such as {@code
   * jdbc:postgresql://db/app?user=locks&holdfast.table=locks_}. Parameters of ours are {@code
   * holdfast.mode}, {@code holdfast.table}, {@code holdfast.create}, {@code holdfast.signals} and
   * {@code holdfast.rowConnections}; they stand behind a question mark, also where the driver's own
   * parameters do not. The rest is the driver's.
   *
   * @throws IllegalArgumentException when it is not understood; the message has no secrets
   */
  public static JdbcOptions of(String url) {
    return JdbcUri.parse(url);
  }

  /** The address without what could be a secret: without user, password and parameters. */
  public String address() {
    return JdbcUri.address(url);
  }

  /** With tables whose names begin so. */
  public JdbcOptions withPrefix(String other) {
    return new JdbcOptions(
        url, database, mode, other, create, signals, rowConnections, user, password);
  }

  /** Creating tables or not. */
  public JdbcOptions withCreate(boolean other) {
    return new JdbcOptions(
        url, database, mode, prefix, other, signals, rowConnections, user, password);
  }

  /** With signals or without. */
  public JdbcOptions withSignals(boolean other) {
    return new JdbcOptions(
        url, database, mode, prefix, create, other, rowConnections, user, password);
  }

  /** With so many connections for locks that are held in the mode row. */
  public JdbcOptions withRowConnections(int other) {
    return new JdbcOptions(url, database, mode, prefix, create, signals, other, user, password);
  }

  /** With this user and password. */
  public JdbcOptions withLogin(String otherUser, String otherPassword) {
    return new JdbcOptions(
        url, database, mode, prefix, create, signals, rowConnections, otherUser, otherPassword);
  }

  @Override
  public String toString() {
    return "JdbcOptions["
        + address()
        + ", "
        + database
        + ", "
        + mode
        + ", table="
        + prefix
        + ", create="
        + create
        + ", signals="
        + signals
        + "]";
  }
}
