package io.holdfast.jdbc.guard;

import io.holdfast.Hold;
import io.holdfast.StaleTokenException;
import io.holdfast.spi.Resource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A fence guard for rows that have their own fence in two columns.
 *
 * <p>These are {@code fence BIGINT} and {@code fence_holder VARCHAR(255)}; both may be null until
 * the first claim. A claim protects its row and nothing else; for more use {@link SqlFenceGuard}.
 *
 * <p>A row has one fence, so all holds that claim it must be of one namespace: tokens of two
 * namespaces do not compare. {@link #inNamespace} makes the guard refuse others.
 *
 * <pre>{@code
 * ColumnFenceGuard orders = ColumnFenceGuard.of("orders", "id");
 * orders.claim(connection, 42, hold); // before the first read
 * orders.update(connection, 42, hold, Map.of("status", "paid"));
 * }</pre>
 *
 * <p>Every step is one conditional statement, so it is correct on any SQL database, at any
 * isolation level, in a transaction or without one; in a transaction the row stays locked until its
 * end. When the database fails a statement because another transaction was in the way, the error
 * passes unchanged.
 *
 * <p>Immutable and thread-safe; each thread needs a connection of its own.
 */
public final class ColumnFenceGuard {

  private final String table;
  private final String key;
  private final String fence;
  private final String holder;

  /** Of the holds that may claim; empty for any. */
  private final String namespace;

  private ColumnFenceGuard(
      String table, String key, String fence, String holder, String namespace) {
    this.namespace = namespace;
    this.table = SqlName.table(table);
    this.key = SqlName.column(key);
    this.fence = SqlName.column(fence);
    this.holder = SqlName.column(holder);
  }

  /**
   * Returns a guard of the rows of a table, with the columns {@code fence} and {@code
   * fence_holder}.
   *
   * @param key the column that finds a row; it must be unique
   * @throws IllegalArgumentException when a name is not a plain one
   */
  public static ColumnFenceGuard of(String table, String key) {
    return new ColumnFenceGuard(table, key, "fence", "fence_holder", "");
  }

  /**
   * Returns a copy with other names of its columns.
   *
   * @throws IllegalArgumentException when a name is not a plain one
   */
  public ColumnFenceGuard withColumns(String fenceColumn, String holderColumn) {
    return new ColumnFenceGuard(table, key, fenceColumn, holderColumn, namespace);
  }

  /**
   * Returns a copy for holds of one namespace. Holds of another one are refused with an {@link
   * IllegalArgumentException}: they do not exclude holds of this one, and their tokens do not
   * compare.
   *
   * @throws IllegalArgumentException when the namespace is not well formed
   */
  public ColumnFenceGuard inNamespace(String other) {
    return new ColumnFenceGuard(table, key, fence, holder, Resource.requireNamespace(other));
  }

  private void requireOurs(Hold hold) {
    if (!namespace.isEmpty() && !namespace.equals(hold.namespace())) {
      throw new IllegalArgumentException(
          "the rows of "
              + table
              + " are guarded by holds of the namespace "
              + namespace
              + ", and this one is of another: "
              + hold.namespace()
              + ":"
              + hold.name());
    }
  }

  /**
   * Claims a row and writes nothing else. Call it before the first read.
   *
   * @throws StaleTokenException when a later holder, or another holder with the same token, has
   *     claimed
   * @throws NoSuchElementException when there is no such row
   */
  public void claim(Connection connection, Object rowKey, Hold hold) throws SQLException {
    requireOurs(hold);
    claim(connection, rowKey, hold.token(), hold.id());
  }

  /** As {@link #claim(Connection, Object, Hold)}, given the token and id of a hold. */
  public void claim(Connection connection, Object rowKey, long token, String holdId)
      throws SQLException {
    update(connection, rowKey, token, holdId, Map.of());
  }

  /**
   * Claims a row and writes these columns, in one step.
   *
   * @param values by the names of their columns
   * @throws StaleTokenException when a later holder, or another holder with the same token, has
   *     claimed; nothing was written
   * @throws NoSuchElementException when there is no such row
   */
  public void update(
      Connection connection,
      Object rowKey,
      Hold hold,
      Map<String, ? extends @Nullable Object> values)
      throws SQLException {
    requireOurs(hold);
    update(connection, rowKey, hold.token(), hold.id(), values);
  }

  /** As {@link #update(Connection, Object, Hold, Map)}, given the token and id of a hold. */
  public void update(
      Connection connection,
      Object rowKey,
      long token,
      String holdId,
      Map<String, ? extends @Nullable Object> values)
      throws SQLException {
    FenceClaim.requireHolder(token, holdId);
    StringBuilder set = new StringBuilder();
    List<@Nullable Object> bound = new ArrayList<>();
    for (Map.Entry<String, ? extends @Nullable Object> value : values.entrySet()) {
      set.append(SqlName.column(value.getKey())).append(" = ?, ");
      bound.add(value.getValue());
    }
    bound.addAll(List.of(token, holdId, rowKey, token, token, holdId));
    String sql =
        "UPDATE %s SET %s%s WHERE %s = ? AND %s"
            .formatted(table, set, assignments(), key, condition());
    int count = SqlStatements.update(connection, sql, bound.toArray());
    // MySQL can be configured to count only changed rows: then zero may be our own claim.
    if (count == 0 && !letIn(connection, rowKey, token, holdId).isOf(token, holdId)) {
      throw FenceRecord.unseen(what(rowKey));
    }
  }

  /** For the SET of your own statement: {@code fence = ?, fence_holder = ?}. */
  public String assignments() {
    return "%s = ?, %s = ?".formatted(fence, holder);
  }

  /**
   * Sets the parameters of {@link #assignments()}.
   *
   * @param index of the first of them
   * @return the index after them
   */
  public int bindAssignments(PreparedStatement statement, int index, Hold hold)
      throws SQLException {
    requireOurs(hold);
    statement.setLong(index, hold.token());
    statement.setString(index + 1, hold.id());
    return index + 2;
  }

  /** For the WHERE of your own statement: whether the fence lets the holder in. */
  public String condition() {
    return "(%1$s IS NULL OR %1$s < ? OR (%1$s = ? AND %2$s = ?))".formatted(fence, holder);
  }

  /**
   * Sets the parameters of {@link #condition()}.
   *
   * @param index of the first of them
   * @return the index after them
   */
  public int bindCondition(PreparedStatement statement, int index, Hold hold) throws SQLException {
    requireOurs(hold);
    statement.setLong(index, hold.token());
    statement.setLong(index + 1, hold.token());
    statement.setString(index + 2, hold.id());
    return index + 3;
  }

  /**
   * Finds out why your own statement changed nothing.
   *
   * @param count the number of rows that it changed
   * @return whether it changed any; false if another of its conditions was not met
   * @throws StaleTokenException when the fence kept it out
   * @throws NoSuchElementException when there is no such row
   */
  public boolean passed(Connection connection, Object rowKey, Hold hold, int count)
      throws SQLException {
    if (count == 0) {
      letIn(connection, rowKey, hold.token(), hold.id());
    }
    return count > 0;
  }

  private FenceRecord letIn(Connection connection, Object rowKey, long token, String holdId)
      throws SQLException {
    FenceRecord stands =
        standing(connection, rowKey)
            .orElseThrow(() -> new NoSuchElementException("there is no row " + what(rowKey)));
    if (!stands.letsIn(token, holdId)) {
      throw new StaleTokenException(what(rowKey), token, stands.token());
    }
    return stands;
  }

  private String what(Object rowKey) {
    return "%s with %s = %s".formatted(table, key, rowKey);
  }

  /** Fences only rise: a token that was stale for the statement is stale for this read as well. */
  private Optional<FenceRecord> standing(Connection connection, Object rowKey) throws SQLException {
    // A plain read could show an old snapshot of the row. SQLite has no row locks.
    boolean rowLocks = !connection.getMetaData().getDatabaseProductName().equals("SQLite");
    return SqlStatements.first(
        connection,
        ColumnFenceGuard::read,
        "SELECT %s, %s FROM %s WHERE %s = ?%s"
            .formatted(fence, holder, table, key, rowLocks ? " FOR UPDATE" : ""),
        rowKey);
  }

  private static FenceRecord read(ResultSet row) throws SQLException {
    String holder = row.getString(2);
    return new FenceRecord(row.getLong(1), holder == null ? "" : holder);
  }
}
