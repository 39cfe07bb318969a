package io.holdfast.redis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rights that the documentation tells people to give, read from the file that it quotes.
 *
 * @param rules the words of an ACL line behind user and password
 */
record AclFile(List<String> rules) {

  static final String USER = "holdfast";
  static final String PASSWORD = "secret";

  /** The line for the n-th kind of store, from 0. */
  static AclFile line(int number) throws IOException {
    try (InputStream in = AclFile.class.getResourceAsStream("/least-privilege.acl")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      List<String> lines = text.lines().filter(line -> line.startsWith("user ")).toList();
      List<String> words = List.of(lines.get(number).split(" ", -1));
      if (!words.subList(0, 4).equals(List.of("user", USER, "on", ">" + PASSWORD))) {
        throw new IllegalStateException("not as expected: " + lines.get(number));
      }
      return new AclFile(words.subList(4, words.size()));
    }
  }

  /** The commands that it allows, such as {@code +get}. */
  List<String> commands() {
    return rules.stream().filter(rule -> rule.startsWith("+")).toList();
  }

  AclFile without(String rule) {
    return new AclFile(rules.stream().filter(each -> !each.equals(rule)).toList());
  }

  AclFile with(String rule) {
    return new AclFile(Stream.concat(rules.stream(), Stream.of(rule)).toList());
  }

  String[] asArray() {
    return rules.toArray(String[]::new);
  }
}
