package io.holdfast.jdbc.table;

import io.holdfast.spi.Owner;
import java.nio.charset.StandardCharsets;

/** An owner as it is stored: its parts with tabs between, so that people can read the column. */
final class OwnerText {

  private static final int PARTS = 5;
  private static final int LONGEST = 4000;

  private OwnerText() {}

  static String write(Owner owner) {
    return storable(
        String.join(
            "\t",
            part(owner.app()),
            part(owner.host()),
            Long.toString(owner.pid()),
            part(owner.thread()),
            part(owner.text())));
  }

  /** Reads what {@link #write} wrote; what somebody else wrote becomes free text. */
  static Owner read(String stored) {
    String[] parts = stored.split("\t", PARTS);
    try {
      if (parts.length == PARTS) {
        return new Owner(parts[0], parts[1], Long.parseLong(parts[2]), parts[3], parts[4]);
      }
    } catch (NumberFormatException e) {
      // Not ours: shown as it is.
      return new Owner("", "", 0, "", stored);
    }
    return new Owner("", "", 0, "", stored);
  }

  private static String part(String text) {
    return text.indexOf('\t') < 0 ? text : text.replace('\t', ' ');
  }

  /** Text that every database takes: no NUL, no lone surrogate, not too long. */
  static String storable(String text) {
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
