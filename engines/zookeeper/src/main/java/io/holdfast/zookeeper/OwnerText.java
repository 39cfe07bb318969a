package io.holdfast.zookeeper;

import io.holdfast.spi.Owner;

/** An owner as it is stored: its parts with tabs between, so that any browser shows them. */
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
    if (parts.length == PARTS && parts[2].matches("\\d{1,18}")) {
      return new Owner(parts[0], parts[1], Long.parseLong(parts[2]), parts[3], parts[4]);
    }
    return new Owner("", "", 0, "", stored);
  }

  private static String clean(String part) {
    return part.replace('\t', ' ').replace('\n', ' ');
  }
}
