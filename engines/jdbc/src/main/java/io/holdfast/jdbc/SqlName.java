package io.holdfast.jdbc;

import java.util.regex.Pattern;

/**
 * A name of a table or column that may stand in a statement as it is: it needs no quotes, so there
 * is nothing that it could break out of.
 */
final class SqlName {

  private static final String WORD = "[A-Za-z_][A-Za-z0-9_]{0,62}";
  private static final Pattern COLUMN = Pattern.compile(WORD);
  private static final Pattern TABLE = Pattern.compile(WORD + "(\\." + WORD + "){0,2}");

  private SqlName() {}

  /**
   * Answers the name of a table, with its schema or without, if it is plain.
   *
   * @throws IllegalArgumentException otherwise
   */
  static String table(String name) {
    return require(TABLE, "table", name);
  }

  /**
   * Answers the name of a column if it is plain.
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
