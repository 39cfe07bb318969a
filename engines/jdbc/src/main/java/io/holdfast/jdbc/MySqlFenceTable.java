package io.holdfast.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * MariaDB and MySQL. Inserts first: a statement that looks for a row in vain locks the gap where it
 * would be, for anyone else who looks in vain too, and then neither can insert.
 *
 * <p>Texts are bytes here, because most collations take {@code a} for {@code A}.
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
    // From left to right: the token is assigned last, because the holder depends on the old one.
    int count =
        PlainSql.update(
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
    // IGNORE takes a row that is there for shared; ON DUPLICATE KEY would take it for oneself.
    PlainSql.update(
        connection,
        "INSERT IGNORE INTO %s (resource, token, holder) VALUES (?, 0, '')".formatted(name),
        key);
    return standing(connection, key, "LOCK IN SHARE MODE")
        .orElseThrow(() -> FenceRecord.unseen(claim.resource()));
  }

  /** A locking read, because another one may show what was before somebody's claim. */
  private Optional<FenceRecord> standing(Connection connection, byte[] key, String lock)
      throws SQLException {
    return PlainSql.first(
        connection,
        MySqlFenceTable::read,
        "SELECT token, holder FROM %s WHERE resource = ? %s".formatted(name, lock),
        (Object) key);
  }

  private static FenceRecord read(ResultSet row) throws SQLException {
    return new FenceRecord(row.getLong(1), new String(row.getBytes(2), UTF_8));
  }
}
