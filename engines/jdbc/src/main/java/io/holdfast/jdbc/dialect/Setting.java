package io.holdfast.jdbc.dialect;

/**
 * A setting of a connection that can be restored.
 *
 * @param query returns its value in one row, or null where there is no such setting
 * @param statement sets it to the value in place of {@code %s}
 */
public record Setting(String query, String statement) {

  /** Returns the statement that restores the value. */
  public String back(String value) {
    return statement.replace("%s", value.replace("'", "''"));
  }
}
