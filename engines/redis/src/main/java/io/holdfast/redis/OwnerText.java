package io.holdfast.redis;

import io.holdfast.spi.Owner;

/** An owner as it is stored: its parts with tabs between, so that {@code redis-cli} shows them. */
final class OwnerText {

  private static final int PARTS = 5;

  private OwnerText() {}

  static String write(Owner owner) {
    return String.join(
        "\t",
        clean(owner.app()),
        clean(owner.host()),
        Long.toString(owner.pid()),
        clean(owner.thread()),
        clean(owner.text()));
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

  private static String clean(String part) {
    return part.indexOf('\t') < 0 ? part : part.replace('\t', ' ');
  }
}
