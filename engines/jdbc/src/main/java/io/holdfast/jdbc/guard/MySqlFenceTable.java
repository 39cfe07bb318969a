package io.holdfast.jdbc.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * MariaDB and MySQL: inserts first. A statement that does not find a row locks the gap where it
 * would be, shared with others that do not find it, and then none of them can insert.
 *
 * <p>Texts are stored as bytes, because most collations treat {@code a} and {@code A} as equal.
 */
final class MySqlFenceTable implements FenceTable {

  /**
   * Of an insert that became an update: an insert counts 1, an update that changes nothing 0, 1.
   */
  private static final int UPDATED = 2;

  private final String name;

  MySqlFenceTable(String name) {
    this.name = name;
  }

  @Override
  public String definition() {
    return ("CREATE TABLE IF NOT EXISTS %s (resource VARBINARY(600) NOT NULL PRIMARY KEY,"
            + " token BIGINT NOT NULL, holder VARBINARY(255) NOT NULL) ENGINE=InnoDB")
        .formatted(name);
  }

  @Override
  public FenceRecord claim(Connection connection, FenceClaim claim) throws SQLException {
    byte[] key = claim.key().getBytes(UTF_8);
    byte[] holder = claim.holdId().getBytes(UTF_8);
    // Assigned from left to right: the token last, because the holder depends on the old one.
    int count =
        SqlStatements.update(
            connection,
            ("INSERT INTO %s (resource, token, holder) VALUES (?, ?, ?)"
                    + " ON DUPLICATE KEY UPDATE"
                    + " holder = IF(token < ?, ?, holder), token = GREATEST(token, ?)")
                .formatted(name),
            key,
            claim.token(),
            holder,
            claim.token(),
            holder,
            claim.token());
    return count == UPDATED
        ? FenceRecord.of(claim)
        : standing(connection, key, "FOR UPDATE")
            .orElseThrow(() -> FenceRecord.unseen(claim.resource()));
  }

  @Override
  public FenceRecord admit(Connection connection, FenceClaim claim) throws SQLException {
    byte[] key = claim.key().getBytes(UTF_8);
    // IGNORE locks an existing row shared; ON DUPLICATE KEY would lock it exclusively.
    SqlStatements.update(
        connection,
        "INSERT IGNORE INTO %s (resource, token, holder) VALUES (?, 0, '')".formatted(name),
        key);
    return standing(connection, key, "LOCK IN SHARE MODE")
        .orElseThrow(() -> FenceRecord.unseen(claim.resource()));
  }

  /** Reads with a lock, because a plain read may show the record before another claim. */
  private Optional<FenceRecord> standing(Connection connection, byte[] key, String lock)
      throws SQLException {
    return SqlStatements.first(
        connection,
        MySqlFenceTable::read,
        "SELECT token, holder FROM %s WHERE resource = ? %s".formatted(name, lock),
        (Object) key);
  }

  private static FenceRecord read(ResultSet row) throws SQLException {
    return new FenceRecord(row.getLong(1), new String(row.getBytes(2), UTF_8));
  }
}
