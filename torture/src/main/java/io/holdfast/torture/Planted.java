package io.holdfast.torture;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What can be broken on purpose, to see that the checkers find it. */
enum Planted {
  /** A holder believes until it releases, whatever its deadline says. */
  DEADLINE,
  /** Workers take locks away from whoever holds them, as a release without an owner check does. */
  OWNER,
  /** Every tenth exclusive grant shows the first token of its name again. */
  TOKENS,
  /** Nobody guards the resource. */
  GUARD,
  /** A hold is left in the store. */
  LEFTOVER,
  /** One call never returns. */
  WAIT;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads words with commas between them. */
  static Set<Planted> parse(String words) {
    Set<Planted> all = EnumSet.noneOf(Planted.class);
    for (String word : words.split(",", -1)) {
      if (word.isEmpty()) {
        continue;
      }
      all.add(
          Arrays.stream(values())
              .filter(planted -> planted.word().equals(word))
              .findFirst()
              .orElseThrow(
                  () ->
                      new BadOptionException(
                          "--planted takes " + words() + ": --planted=" + words)));
    }
    return all;
  }

  static String words() {
    return Arrays.stream(values()).map(Planted::word).collect(Collectors.joining(", "));
  }

  static String text(Set<Planted> some) {
    return some.stream().map(Planted::word).collect(Collectors.joining(","));
  }
}
