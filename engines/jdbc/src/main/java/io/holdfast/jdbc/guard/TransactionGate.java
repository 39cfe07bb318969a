package io.holdfast.jdbc.guard;

import io.holdfast.LockRefusedException;
import io.holdfast.jdbc.dialect.LockName;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;

/** How a transaction takes a lock, for one kind of database. Stateless. */
sealed interface TransactionGate permits AdvisoryGate, SlotGate {

  /** Creates the table, over a connection in autocommit mode; harmless if it exists. */
  void create(Connection connection) throws SQLException;

  /**
   * Takes the lock for the transaction of the connection. Never waits; returns false, without an
   * error, when another transaction has the lock.
   *
   * @throws IllegalStateException when the transaction reads from a snapshot that is older
   * @throws LockRefusedException when the table is missing; the message has its definition
   */
  boolean take(Connection connection, LockName lock) throws SQLException;

  /**
   * Checks that a refused lock exists at all.
   *
   * @throws LockRefusedException when the row to lock is missing
   */
  void requireThere(Connection connection, LockName lock) throws SQLException;

  /**
   * Returns the gate of the database behind a connection. Asks the driver, not the server.
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
              "SQLite has no locks within a transaction, and needs none: a transaction of BEGIN"
                  + " IMMEDIATE has the whole database to itself until it ends");
      default ->
          throw new SQLFeatureNotSupportedException(
              "there are no locks of transactions for "
                  + product
                  + ", only for PostgreSQL, MariaDB, MySQL and H2");
    };
  }

  /** Returns the error of a transaction that reads from a snapshot. */
  static IllegalStateException tooOld(String isolation) {
    return new IllegalStateException(
        "the transaction reads from a snapshot ("
            + isolation
            + "), which is older than the lock, so it would not see what the previous one has"
            + " written: use READ COMMITTED");
  }
}
