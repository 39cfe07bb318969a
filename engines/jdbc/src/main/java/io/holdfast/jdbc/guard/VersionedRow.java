package io.holdfast.jdbc.guard;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A row as {@link Versioned} read it, or is to write it. Immutable. */
public final class VersionedRow {

  private final long version;
  private final Map<String, @Nullable Object> values;

  VersionedRow(long version, Map<String, @Nullable Object> values) {
    this.version = version;
    this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** Its version: of a row that was written, the new one. 0 where values are compared. */
  public long version() {
    return version;
  }

  /** Returns the requested columns with their values, in that order. */
  public Map<String, @Nullable Object> values() {
    return values;
  }

  /**
   * Returns the value of a column, as the driver gives it.
   *
   * @throws IllegalArgumentException when that column was not requested
   */
  public @Nullable Object get(String column) {
    requireColumn(column);
    return values.get(column);
  }

  /**
   * Returns a column's value as a number.
   *
   * @throws IllegalStateException when there is none
   */
  public long getLong(String column) {
    if (get(column) instanceof Number number) {
      return number.longValue();
    }
    throw new IllegalStateException("column " + column + " has no number");
  }

  /**
   * Returns a copy with another value in a column.
   *
   * @throws IllegalArgumentException when that column was not requested
   */
  public VersionedRow with(String column, @Nullable Object value) {
    requireColumn(column);
    Map<String, @Nullable Object> changed = new LinkedHashMap<>(values);
    changed.put(column, value);
    return new VersionedRow(version, changed);
  }

  VersionedRow next() {
    return new VersionedRow(Math.addExact(version, 1), values);
  }

  private void requireColumn(String column) {
    if (!values.containsKey(column)) {
      throw new IllegalArgumentException(
          "column must be one of the requested ones, " + values.keySet() + ": column=" + column);
    }
  }
}
