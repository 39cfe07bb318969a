package io.holdfast.jdbc.guard;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * PostgreSQL and SQLite: one statement inserts, or updates under a condition.
 *
 * <p>It never fails because the row exists, which would abort a transaction of PostgreSQL.
 */
final class UpsertFenceTable implements FenceTable {

  private final String name;
  private final String definition;
  private final boolean locksRows;

  private UpsertFenceTable(String name, String definition, boolean locksRows) {
    this.name = name;
    this.definition = definition;
    this.locksRows = locksRows;
  }

  static UpsertFenceTable postgres(String name) {
    String definition =
        "CREATE TABLE IF NOT EXISTS %s (resource VARCHAR(600) PRIMARY KEY,"
            + " token BIGINT NOT NULL, holder VARCHAR(255) NOT NULL)";
    return new UpsertFenceTable(name, definition.formatted(name), true);
  }

  /** Has no row locks: its write transactions run one after another, or fail as a whole. */
  static UpsertFenceTable sqlite(String name) {
    String definition =
        "CREATE TABLE IF NOT EXISTS %s (resource TEXT NOT NULL PRIMARY KEY,"
            + " token INTEGER NOT NULL, holder TEXT NOT NULL)";
    return new UpsertFenceTable(name, definition.formatted(name), false);
  }

  @Override
  public String definition() {
    return definition;
  }

  @Override
  public FenceRecord claim(Connection connection, FenceClaim claim) throws SQLException {
    int raised =
        SqlStatements.update(
            connection,
            ("INSERT INTO %s AS f (resource, token, holder) VALUES (?, ?, ?)"
                    + " ON CONFLICT (resource) DO UPDATE"
                    + " SET token = excluded.token, holder = excluded.holder"
                    + " WHERE f.token < excluded.token"
                    + " OR (f.token = excluded.token AND f.holder = excluded.holder)")
                .formatted(name),
            claim.key(),
            claim.token(),
            claim.holdId());
    return raised == 1
        ? FenceRecord.of(claim)
        : standing(connection, claim, "").orElseThrow(() -> FenceRecord.unseen(claim.resource()));
  }

  @Override
  public FenceRecord admit(Connection connection, FenceClaim claim) throws SQLException {
    if (!locksRows) {
      // A claim in the meantime makes this transaction fail as soon as it writes.
      return standing(connection, claim, "").orElse(new FenceRecord(0, ""));
    }
    Optional<FenceRecord> found = standing(connection, claim, " FOR SHARE");
    if (found.isPresent()) {
      return found.get();
    }
    // Without a row a later claim would have nothing to wait for.
    SqlStatements.update(
        connection,
        "INSERT INTO %s (resource, token, holder) VALUES (?, 0, '') ON CONFLICT DO NOTHING"
            .formatted(name),
        claim.key());
    return standing(connection, claim, " FOR SHARE")
        .orElseThrow(() -> FenceRecord.unseen(claim.resource()));
  }

  private Optional<FenceRecord> standing(Connection connection, FenceClaim claim, String lock)
      throws SQLException {
    return SqlStatements.first(
        connection,
        UpsertFenceTable::read,
        "SELECT token, holder FROM %s WHERE resource = ?%s".formatted(name, lock),
        claim.key());
  }

  private static FenceRecord read(ResultSet row) throws SQLException {
    return new FenceRecord(row.getLong(1), row.getString(2));
  }
}
