package io.holdfast.jdbc.guard;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * H2: updates the row or inserts it.
 *
 * <p>It updates again if another client inserted the row meanwhile.
 */
final class H2FenceTable implements FenceTable {

  private static final String DUPLICATE = "23505";

  private final String name;

  H2FenceTable(String name) {
    this.name = name;
  }

  @Override
  public String definition() {
    return ("CREATE TABLE IF NOT EXISTS %s (resource VARCHAR(600) PRIMARY KEY,"
            + " token BIGINT NOT NULL, holder VARCHAR(255) NOT NULL)")
        .formatted(name);
  }

  @Override
  public FenceRecord claim(Connection connection, FenceClaim claim) throws SQLException {
    if (raise(connection, claim)
        || insert(connection, claim.key(), FenceRecord.of(claim))
        || raise(connection, claim)) {
      return FenceRecord.of(claim);
    }
    return standing(connection, claim).orElseThrow(() -> FenceRecord.unseen(claim.resource()));
  }

  @Override
  public FenceRecord admit(Connection connection, FenceClaim claim) throws SQLException {
    Optional<FenceRecord> found = standing(connection, claim);
    if (found.isPresent()) {
      return found.get();
    }
    // Without a row a later claim would have nothing to wait for.
    FenceRecord nobody = new FenceRecord(0, "");
    return insert(connection, claim.key(), nobody)
        ? nobody
        : standing(connection, claim).orElseThrow(() -> FenceRecord.unseen(claim.resource()));
  }

  private boolean raise(Connection connection, FenceClaim claim) throws SQLException {
    return SqlStatements.update(
            connection,
            ("UPDATE %s SET token = ?, holder = ? WHERE resource = ?"
                    + " AND (token < ? OR (token = ? AND holder = ?))")
                .formatted(name),
            claim.token(),
            claim.holdId(),
            claim.key(),
            claim.token(),
            claim.token(),
            claim.holdId())
        == 1;
  }

  /** Returns whether it did; a statement that fails does not end a transaction of H2. */
  private boolean insert(Connection connection, String key, FenceRecord first) throws SQLException {
    try {
      return SqlStatements.update(
              connection,
              ("INSERT INTO %s (resource, token, holder) SELECT ?, ?, ?"
                      + " WHERE NOT EXISTS (SELECT 1 FROM %s WHERE resource = ?)")
                  .formatted(name, name),
              key,
              first.token(),
              first.holder(),
              key)
          == 1;
    } catch (SQLException e) {
      if (DUPLICATE.equals(e.getSQLState())) {
        return false;
      }
      throw e;
    }
  }

  private Optional<FenceRecord> standing(Connection connection, FenceClaim claim)
      throws SQLException {
    return SqlStatements.first(
        connection,
        H2FenceTable::read,
        "SELECT token, holder FROM %s WHERE resource = ? FOR UPDATE".formatted(name),
        claim.key());
  }

  private static FenceRecord read(ResultSet row) throws SQLException {
    return new FenceRecord(row.getLong(1), row.getString(2));
  }
}
