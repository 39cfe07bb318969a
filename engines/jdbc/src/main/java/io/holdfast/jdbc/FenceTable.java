package io.holdfast.jdbc;

import io.holdfast.LockRefusedException;
import io.holdfast.jdbc.wire.Replay;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;

/**
 * The fence table in the words of one kind of database. The steps run in the transaction that the
 * connection is in, and hold the row of the resource until it ends: that is what makes guarded
 * transactions follow one another.
 */
sealed interface FenceTable permits UpsertFenceTable, MySqlFenceTable, H2FenceTable {

  /** The statement that creates it if it is not there. */
  String definition();

  /**
   * Raises the record if the claim is good, and locks it in any case.
   *
   * @return what stands now: this claim, or the one that it came too late for
   */
  FenceRecord claim(Connection connection, FenceClaim claim) throws SQLException;

  /**
   * Locks the record, together with other sharers where the database can, and changes no claim.
   *
   * @return the last exclusive claim
   */
  FenceRecord admit(Connection connection, FenceClaim claim) throws SQLException;

  /**
   * The table of the database behind a connection. Asks the driver, not the server.
   *
   * @param name a checked name
   * @throws SQLFeatureNotSupportedException when it is another database
   * @throws LockRefusedException when the driver repeats transactions by itself: it would repeat
   *     the writing, whatever becomes of the claim
   */
  static FenceTable of(Connection connection, String name) throws SQLException {
    if (Replay.isOn(connection)) {
      throw new LockRefusedException(
          "the driver repeats transactions on another connection and looks at no answer, so a claim"
              + " in "
              + name
              + " that comes too late would not keep anybody from writing: connect without "
              + Replay.OPTION,
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
