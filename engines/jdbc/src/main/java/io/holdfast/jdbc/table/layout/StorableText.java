package io.holdfast.jdbc.table.layout;

import java.nio.charset.StandardCharsets;

/** Makes an operator's reason fit for a text column of any database. */
public final class StorableText {

  private static final int LONGEST = 4000;

  private StorableText() {}

  /** Returns the text without NULs and unpaired surrogates, and not too long. */
  public static String of(String text) {
    String cut = text.length() > LONGEST ? text.substring(0, LONGEST) : text;
    boolean plain = true;
    for (int i = 0; i < cut.length() && plain; i++) {
      plain = cut.charAt(i) != 0 && !Character.isSurrogate(cut.charAt(i));
    }
    return plain
        ? cut
        : new String(
            cut.replace('\0', ' ').getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
