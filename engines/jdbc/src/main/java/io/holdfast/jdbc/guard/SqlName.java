package io.holdfast.jdbc.guard;

import java.util.regex.Pattern;

/** Checks names of tables and columns that stand in statements without quotes. */
final class SqlName {

  private static final String WORD = "[A-Za-z_][A-Za-z0-9_]{0,62}";
  private static final Pattern COLUMN = Pattern.compile(WORD);
  private static final Pattern TABLE = Pattern.compile(WORD + "(\\." + WORD + "){0,2}");

  private SqlName() {}

  /**
   * Returns the name of a table, with or without a schema, if it is plain.
   *
   * @throws IllegalArgumentException otherwise
   */
  static String table(String name) {
    return require(TABLE, "table", name);
  }

  /**
   * Returns the name of a column if it is plain.
   *
   * @throws IllegalArgumentException otherwise
   */
  static String column(String name) {
    return require(COLUMN, "column", name);
  }

  private static String require(Pattern rule, String what, String name) {
    if (!rule.matcher(name).matches()) {
      throw new IllegalArgumentException(
          what + " must be a plain SQL name, " + rule.pattern() + ": " + what + "=" + name);
    }
    return name;
  }
}
