package io.holdfast.jdbc;

import io.holdfast.LockRefusedException;
import io.holdfast.jdbc.kept.LockName;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;

/** How a transaction takes a lock, in the words of one kind of database. Stateless. */
sealed interface TransactionGate permits AdvisoryGate, SlotGate {

  /**
   * Creates what is needed, over a connection in autocommit mode; does no harm to what is there.
   */
  void create(Connection connection) throws SQLException;

  /**
   * Takes the lock for the transaction of the connection. Never waits for anybody, and a lock that
   * is taken is an answer and no error.
   *
   * @throws IllegalStateException when the transaction reads from a snapshot that is older
   * @throws LockRefusedException when something is missing; the message has its definition
   */
  boolean take(Connection connection, LockName lock) throws SQLException;

  /**
   * Makes sure that a no is one.
   *
   * @throws LockRefusedException when what could be locked is missing
   */
  void requireThere(Connection connection, LockName lock) throws SQLException;

  /**
   * The gate of the database behind a connection. Asks the driver, not the server.
   *
   * @param table a checked name
   * @throws SQLFeatureNotSupportedException when it has no such locks
   */
  static TransactionGate of(Connection connection, String table) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    return switch (product) {
      case "PostgreSQL" -> new AdvisoryGate();
      case "MariaDB", "MySQL" -> new SlotGate(table, " ENGINE=InnoDB", true);
      case "H2" -> new SlotGate(table, "", false);
      case "SQLite" ->
          throw new SQLFeatureNotSupportedException(
              "SQLite has no locks within a transaction, and needs none: one that began with BEGIN"
                  + " IMMEDIATE has the whole database to itself until it ends");
      default ->
          throw new SQLFeatureNotSupportedException(
              "there are no locks of transactions for "
                  + product
                  + ", only for PostgreSQL, MariaDB, MySQL and H2");
    };
  }

  /** The words of both that the transaction reads from a snapshot. */
  static IllegalStateException tooOld(String isolation) {
    return new IllegalStateException(
        "the transaction reads from a snapshot ("
            + isolation
            + "), which is older than the lock, so it would not see what the one before has"
            + " written: use READ COMMITTED");
  }
}
