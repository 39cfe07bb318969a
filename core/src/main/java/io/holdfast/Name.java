package io.holdfast;

import java.util.Locale;

/**
 * A name with the tag that metrics know it by.
 *
 * @param tag the template of the name; the text itself is never one
 */
record Name(String text, String tag) {

  private static final String UNTAGGED = "untagged";
  private static final String SLOT = "{}";

  static Name plain(String text) {
    return new Name(text, UNTAGGED);
  }

  static Name filled(String template, Object first, Object... more) {
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
    return new Name(text.append(template.substring(from)).toString(), template);
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
