package io.holdfast.cli.look.doctor;

import java.util.HashMap;
import java.util.Map;

/** Lines {@code name: value}, as some servers describe themselves; others are left out. */
final class ColonLines {

  private ColonLines() {}

  static Map<String, String> of(String answer) {
    Map<String, String> facts = new HashMap<>();
    answer
        .lines()
        .filter(line -> line.indexOf(':') > 0)
        .forEach(
            line ->
                facts.put(
                    line.substring(0, line.indexOf(':')),
                    line.substring(line.indexOf(':') + 1).strip()));
    return facts;
  }
}
