package io.holdfast.cli.commands.doctor;

import java.util.HashMap;
import java.util.Map;

/** Parses lines {@code name: value} of servers; skips all others. */
final class KeyValueLines {

  private KeyValueLines() {}

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
