package io.holdfast.torture;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** A bug that is planted to show that the checkers find it. */
enum PlantedBug {
  /** A holder believes until it releases, whatever its deadline says. */
  DEADLINE,
  /** Workers take locks away from their holders, as a release without an owner check does. */
  OWNER,
  /** Every tenth exclusive grant shows the first token of its name again. */
  TOKENS,
  /** The resource has no guard. */
  GUARD,
  /** A hold stays in the store. */
  LEFTOVER,
  /** One call never returns. */
  WAIT;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads words with commas between them. */
  static Set<PlantedBug> parse(String words) {
    Set<PlantedBug> all = EnumSet.noneOf(PlantedBug.class);
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
    return Arrays.stream(values()).map(PlantedBug::word).collect(Collectors.joining(", "));
  }

  static String text(Set<PlantedBug> some) {
    return some.stream().map(PlantedBug::word).collect(Collectors.joining(","));
  }
}
