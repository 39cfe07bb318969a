package io.holdfast.jdbc.guard;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The two statements of an optimistic update.
 *
 * @param version empty where values are compared
 * @param columns the columns to read, and to write if changed
 */
record VersionedTable(String table, String key, String version, List<String> columns) {

  VersionedTable {
    SqlName.table(table);
    SqlName.column(key);
    if (!version.isEmpty()) {
      SqlName.column(version);
    }
    columns = List.copyOf(columns);
    columns.forEach(SqlName::column);
    if (columns.contains(version)) {
      throw new IllegalArgumentException(
          "columns must not have the version, which is counted here: version=" + version);
    }
  }

  boolean isByValue() {
    return version.isEmpty();
  }

  VersionedRow read(Connection connection, Object rowKey) throws SQLException {
    List<String> selected = new ArrayList<>();
    selected.add(isByValue() ? "0" : version);
    selected.addAll(columns);
    return SqlStatements.first(
            connection,
            this::row,
            "SELECT %s FROM %s WHERE %s = ?".formatted(String.join(", ", selected), table, key),
            rowKey)
        .orElseThrow(
            () ->
                new NoSuchElementException(
                    "there is no row in %s with %s = %s".formatted(table, key, rowKey)));
  }

  private VersionedRow row(ResultSet row) throws SQLException {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      values.put(columns.get(i), row.getObject(i + 2));
    }
    return new VersionedRow(row.getLong(1), values);
  }

  /** Returns whether the row still had the version or values that were read. */
  boolean write(Connection connection, Object rowKey, VersionedRow read, VersionedRow changed)
      throws SQLException {
    return isByValue()
        ? writeByValue(connection, rowKey, read, changed)
        : writeVersion(connection, rowKey, changed);
  }

  private boolean writeByValue(
      Connection connection, Object rowKey, VersionedRow read, VersionedRow changed)
      throws SQLException {
    StringBuilder set = new StringBuilder();
    StringBuilder unchanged = new StringBuilder();
    List<@Nullable Object> written = new ArrayList<>();
    List<@Nullable Object> compared = new ArrayList<>();
    for (String column : columns) {
      set.append(set.isEmpty() ? "" : ", ").append(column).append(" = ?");
      written.add(changed.get(column));
      // Nothing equals null.
      Object value = read.get(column);
      unchanged.append(" AND ").append(column).append(value == null ? " IS NULL" : " = ?");
      if (value != null) {
        compared.add(value);
      }
    }
    written.add(rowKey);
    written.addAll(compared);
    String sql = "UPDATE %s SET %s WHERE %s = ?%s".formatted(table, set, key, unchanged);
    return SqlStatements.update(connection, sql, written.toArray()) == 1;
  }

  private boolean writeVersion(Connection connection, Object rowKey, VersionedRow changed)
      throws SQLException {
    StringBuilder set = new StringBuilder();
    List<@Nullable Object> bound = new ArrayList<>();
    for (String column : columns) {
      set.append(column).append(" = ?, ");
      bound.add(changed.get(column));
    }
    bound.addAll(List.of(changed.next().version(), rowKey, changed.version()));
    String sql =
        "UPDATE %s SET %s%s = ? WHERE %s = ? AND %s = ?"
            .formatted(table, set, version, key, version);
    return SqlStatements.update(connection, sql, bound.toArray()) == 1;
  }

  /** Returns the version that is there, if there is a row. */
  Optional<Long> current(Connection connection, Object rowKey) throws SQLException {
    if (isByValue()) {
      return Optional.empty();
    }
    return SqlStatements.first(
        connection,
        row -> row.getLong(1),
        "SELECT %s FROM %s WHERE %s = ?".formatted(version, table, key),
        rowKey);
  }
}
