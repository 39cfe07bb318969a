package io.holdfast.jdbc.dialect;

/**
 * A setting of a connection that can be put back.
 *
 * @param query answers its value in one row, or null where there is no such setting
 * @param statement sets it to the value that stands for {@code %s}
 */
public record Setting(String query, String statement) {

  /** The statement that puts the value back. */
  public String back(String value) {
    return statement.replace("%s", value.replace("'", "''"));
  }
}
