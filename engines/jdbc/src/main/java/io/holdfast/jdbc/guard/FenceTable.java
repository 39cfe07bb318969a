package io.holdfast.jdbc.guard;

import io.holdfast.LockRefusedException;
import io.holdfast.jdbc.connection.TransactionReplay;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;

/**
 * The fence table of one kind of database.
 *
 * <p>The steps run in the transaction of the connection and lock the row of the resource until its
 * end: that serializes guarded transactions.
 */
sealed interface FenceTable permits UpsertFenceTable, MySqlFenceTable, H2FenceTable {

  /** Returns the statement that creates it if it is missing. */
  String definition();

  /**
   * Raises the record if the claim is valid, and locks it in any case.
   *
   * @return the current record: this claim, or the later claim that refuses it
   */
  FenceRecord claim(Connection connection, FenceClaim claim) throws SQLException;

  /**
   * Locks the record, shared where the database can, and changes no claim.
   *
   * @return the last exclusive claim
   */
  FenceRecord admit(Connection connection, FenceClaim claim) throws SQLException;

  /**
   * Returns the table of the database behind a connection. Asks the driver, not the server.
   *
   * @param name a checked name
   * @throws SQLFeatureNotSupportedException when it is another database
   * @throws LockRefusedException when the driver replays transactions: it would repeat the writes
   *     even if the claim is refused
   */
  static FenceTable of(Connection connection, String name) throws SQLException {
    if (TransactionReplay.isOn(connection)) {
      throw new LockRefusedException(
          "the driver repeats transactions on another connection and ignores the replies, so a claim"
              + " in "
              + name
              + " that comes too late would not prevent a write: connect without "
              + TransactionReplay.OPTION,
          null);
    }
    String product = connection.getMetaData().getDatabaseProductName();
    return switch (product) {
      case "PostgreSQL" -> UpsertFenceTable.postgres(name);
      case "SQLite" -> UpsertFenceTable.sqlite(name);
      case "MariaDB", "MySQL" -> new MySqlFenceTable(name);
      case "H2" -> new H2FenceTable(name);
      default ->
          throw new SQLFeatureNotSupportedException(
              "there is no guard for "
                  + product
                  + ", only for PostgreSQL, MariaDB, MySQL, H2 and SQLite; guard the row itself:"
                  + " see ColumnFenceGuard");
    };
  }
}
