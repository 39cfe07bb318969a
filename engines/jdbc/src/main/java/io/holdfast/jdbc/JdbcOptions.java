package io.holdfast.jdbc;

import io.holdfast.jdbc.connection.JdbcUri;
import io.holdfast.spi.support.Bounds;
import io.holdfast.spi.support.UriParameters;
import java.util.Locale;

/**
 * The database and how its tables are used. Immutable.
 *
 * <p>Each {@code with…} returns a changed copy and rejects values that are out of bounds. Nothing
 * here shows a password: not {@link #toString()}, not {@link #address()}, no error.
 *
 * @param url the address as the driver knows it, with its secrets
 * @param database what kind of database it is
 * @param mode how locks are kept in it
 * @param prefix the beginning of all table names; a schema may precede it, with a dot
 * @param create whether tables that are missing are created
 * @param signals whether waiters are signalled where the database can; if not, they poll
 * @param rowConnections how many locks a client can hold at once in the mode row, 1 to 1000
 * @param user of the database login, if the address has none
 * @param password of the database login, if the address has none
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

  /** The default beginning of all table names. */
  public static final String PREFIX = JdbcUri.PREFIX;

  /** The default number of locks that a client can hold at once in the mode row. */
  public static final int ROW_CONNECTIONS = 10;

  private static final int MOST_ROW_CONNECTIONS = 1000;

  /** The supported databases. */
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

  /** Checks the bounds. */
  public JdbcOptions {
    JdbcUri.requirePrefix(prefix);
    Bounds.require("rowConnections", rowConnections, 1, MOST_ROW_CONNECTIONS);
  }

  /**
   * Returns the options in an address, such as {@code
   * jdbc:postgresql://db/app?user=locks&holdfast.table=locks_}. Holdfast's own parameters are
   * {@code holdfast.mode}, {@code holdfast.table}, {@code holdfast.create}, {@code
   * holdfast.signals} and {@code holdfast.rowConnections}; they follow a question mark, even where
   * the driver's own parameters do not. The rest is the driver's.
   *
   * @throws IllegalArgumentException when it is not understood; the message has no secrets
   */
  public static JdbcOptions of(String url) {
    JdbcUri uri = JdbcUri.parse(url);
    UriParameters ours = uri.parameters();
    return new JdbcOptions(
        uri.url(),
        Database.valueOf(uri.scheme().toUpperCase(Locale.ROOT)),
        ours.choice(JdbcUri.OURS + "mode", Mode.class).orElse(Mode.TABLE),
        uri.prefix(),
        ours.flag(JdbcUri.OURS + "create").orElse(true),
        ours.flag(JdbcUri.OURS + "signals").orElse(true),
        ours.number(JdbcUri.OURS + "rowConnections").orElse(ROW_CONNECTIONS),
        "",
        "");
  }

  /** Returns the address without possible secrets: without user, password and parameters. */
  public String address() {
    return JdbcUri.address(url);
  }

  /** Returns a copy with another beginning of all table names. */
  public JdbcOptions withPrefix(String other) {
    return new JdbcOptions(
        url, database, mode, other, create, signals, rowConnections, user, password);
  }

  /** Returns a copy that creates missing tables, or not. */
  public JdbcOptions withCreate(boolean other) {
    return new JdbcOptions(
        url, database, mode, prefix, other, signals, rowConnections, user, password);
  }

  /** Returns a copy that signals waiters, or not. */
  public JdbcOptions withSignals(boolean other) {
    return new JdbcOptions(
        url, database, mode, prefix, create, other, rowConnections, user, password);
  }

  /** Returns a copy with another number of connections for locks that are held in the mode row. */
  public JdbcOptions withRowConnections(int other) {
    return new JdbcOptions(url, database, mode, prefix, create, signals, other, user, password);
  }

  /** Returns a copy with another user and password. */
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
