package io.holdfast.runtime.client;

import io.holdfast.Kind;
import java.util.Locale;

/**
 * A lock name, and the tag and the kind under which metrics report it.
 *
 * @param tag the template of the name; never the raw name
 */
public record LockName(String text, String tag, Kind kind) {

  /** The tag of names that have no template. */
  public static final String UNTAGGED = "untagged";

  private static final String SLOT = "{}";

  public static LockName plain(String text) {
    return tagged(text, UNTAGGED);
  }

  public static LockName tagged(String text, String tag) {
    return new LockName(text, tag, Kind.MUTEX);
  }

  /** Returns the name of another kind of lock. */
  public LockName as(Kind other) {
    return kind == other ? this : new LockName(text, tag, other);
  }

  public static LockName filled(String template, Object first, Object... more) {
    StringBuilder text = new StringBuilder();
    int from = 0;
    int filled = 0;
    for (int slot = template.indexOf(SLOT); slot >= 0; slot = template.indexOf(SLOT, from)) {
      if (filled > more.length) {
        throw mismatch(template, more.length + 1);
      }
      text.append(template, from, slot).append(filled == 0 ? first : more[filled - 1]);
      filled++;
      from = slot + SLOT.length();
    }
    if (filled != more.length + 1) {
      throw mismatch(template, more.length + 1);
    }
    return tagged(text.append(template.substring(from)).toString(), template);
  }

  private static IllegalArgumentException mismatch(String template, int arguments) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "template must have one {} for each argument: template=%s arguments=%d",
            template,
            arguments));
  }
}
