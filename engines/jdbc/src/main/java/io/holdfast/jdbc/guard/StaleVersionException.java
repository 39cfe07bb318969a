package io.holdfast.jdbc.guard;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** An optimistic update gave up: other writers were faster every time. Nothing was written. */
public final class StaleVersionException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String table;
  private final String key;
  private final long expected;
  private final long current;
  private final int attempts;

  StaleVersionException(
      VersionedTable table, Object key, Seen seen, int attempts, @Nullable Throwable cause) {
    super(
        "the row of %s with key %s was changed by others: %s, after %d %s; nothing was written, read it again"
            .formatted(
                table.table(),
                key,
                table.isByValue() ? "its values differ from what was read" : seen.text(),
                attempts,
                attempts == 1 ? "attempt" : "attempts"),
        cause);
    this.table = table.table();
    this.key = String.valueOf(key);
    this.expected = seen.expected();
    this.current = seen.current();
    this.attempts = attempts;
  }

  /**
   * The versions that were seen; {@link #UNKNOWN} where none was.
   *
   * @param expected what the last attempt had read
   * @param current what was there afterwards
   */
  record Seen(long expected, long current) {
    static final long UNKNOWN = Long.MIN_VALUE;

    String text() {
      return "version " + text(expected) + " was read, " + text(current) + " is there";
    }

    private static String text(long version) {
      return version == UNKNOWN ? "another one" : Long.toString(version);
    }
  }

  /** Returns the table. */
  public String table() {
    return table;
  }

  /** Returns the key of the row, as text. */
  public String key() {
    return key;
  }

  /** Returns the version that the last attempt read, unless it failed before that. */
  public OptionalLong expected() {
    return known(expected);
  }

  /** Returns the version that was there afterwards, if that could be seen. */
  public OptionalLong current() {
    return known(current);
  }

  /** Returns how often it was tried. */
  public int attempts() {
    return attempts;
  }

  private static OptionalLong known(long version) {
    return version == Seen.UNKNOWN ? OptionalLong.empty() : OptionalLong.of(version);
  }
}
