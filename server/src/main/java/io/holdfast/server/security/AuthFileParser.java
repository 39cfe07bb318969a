package io.holdfast.server.security;

import io.holdfast.server.security.AuthFile.TokenEntry;
import io.holdfast.spi.Resource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses an {@link AuthFile}.
 *
 * <p>A message shows a value only where no token can be by mistake: nothing of a line {@code token}
 * is shown, and no first word that does not look like one.
 */
final class AuthFileParser {

  private static final Pattern WORD = Pattern.compile("[A-Za-z]{1,12}");
  private static final String TOKEN_FORM = "token sha256:HASH PRINCIPAL";
  private static final String ALLOW_FORM = "allow PRINCIPAL RIGHTS NAMESPACE NAMES";
  private static final int TOKEN_FIELDS = 3;
  private static final int ALLOW_FIELDS = 5;

  private final List<TokenEntry> tokens = new ArrayList<>();
  private final Map<String, Integer> tokenLines = new LinkedHashMap<>();
  private final Map<PrincipalName, List<AccessRule>> rules = new LinkedHashMap<>();
  private final Map<String, PrincipalName> names = new LinkedHashMap<>();
  private final Map<PrincipalName, Integer> firstLines = new LinkedHashMap<>();
  private int number;

  private AuthFileParser() {}

  static AuthFile parse(String text) {
    AuthFileParser parser = new AuthFileParser();
    for (String line : text.split("\n", -1)) {
      parser.number++;
      parser.line(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
    }
    return AuthFile.of(parser.tokens, parser.rules, parser.warnings());
  }

  private void line(String line) {
    List<String> fields = fields(line);
    if (fields.isEmpty()) {
      return;
    }
    String first = fields.get(0);
    switch (first) {
      case "token" -> token(fields);
      case "allow" -> allow(fields);
      default ->
          throw wrong(
              "a line must begin with token, allow or #"
                  + (WORD.matcher(first).matches() ? ": " + first : ""));
    }
  }

  private void token(List<String> fields) {
    if (fields.size() != TOKEN_FIELDS) {
      throw wrong("a line with a token must be: " + TOKEN_FORM);
    }
    TokenHash hash =
        TokenHash.parse(fields.get(1))
            .orElseThrow(
                () ->
                    wrong(
                        "the hash of a token must be sha256: and 64 hexadecimal digits;"
                            + " the token itself does not belong into this file"));
    PrincipalName principal = principal(fields.get(2));
    @Nullable Integer earlier = tokenLines.putIfAbsent(hash.toString(), number);
    if (earlier != null) {
      throw wrong("a token must be given once: line " + earlier + " has the same");
    }
    tokens.add(new TokenEntry(hash, principal));
  }

  private void allow(List<String> fields) {
    if (fields.size() != ALLOW_FIELDS) {
      throw wrong("a line with rights must be: " + ALLOW_FORM + ": fields=" + (fields.size() - 1));
    }
    PrincipalName principal = principal(fields.get(1));
    Set<Right> rights = rights(fields.get(2));
    Optional<String> namespace = namespace(fields.get(3));
    rules
        .computeIfAbsent(principal, key -> new ArrayList<>())
        .add(rule(rights, namespace, fields.get(4)));
  }

  /** Two spellings of one subject are one principal, which has the first of them. */
  private PrincipalName principal(String text) {
    try {
      PrincipalName name = PrincipalName.parse(text);
      PrincipalName first = names.computeIfAbsent(name.key(), key -> name);
      firstLines.putIfAbsent(first, number);
      return first;
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private Set<Right> rights(String text) {
    if (text.equals("all")) {
      return EnumSet.allOf(Right.class);
    }
    Set<Right> rights = EnumSet.noneOf(Right.class);
    for (String word : text.split(",", -1)) {
      Right right = right(word);
      if (!rights.add(right)) {
        throw wrong("a right must be given once: " + word);
      }
    }
    return rights;
  }

  private Right right(String word) {
    for (Right right : Right.values()) {
      if (right.word().equals(word)) {
        return right;
      }
    }
    throw wrong(
        "rights must be lock, look, operate or count, with commas between them, or all: "
            + Quoted.text(word));
  }

  private Optional<String> namespace(String text) {
    if (text.equals("*")) {
      return Optional.empty();
    }
    try {
      return Optional.of(Resource.requireNamespace(text));
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage() + "; or * for every namespace");
    }
  }

  private AccessRule rule(Set<Right> rights, Optional<String> namespace, String names) {
    int star = names.indexOf('*');
    boolean prefix = star >= 0;
    if (prefix && star != names.length() - 1) {
      throw wrong("in names a * may only be the last character: " + Quoted.text(names));
    }
    String name = prefix ? names.substring(0, star) : names;
    if (!name.isEmpty() || !prefix) {
      try {
        name = new Resource("default", name).name();
      } catch (IllegalArgumentException e) {
        throw wrong(String.valueOf(e.getMessage()));
      }
    }
    return new AccessRule(rights, namespace, name, prefix);
  }

  private List<String> fields(String line) {
    List<String> fields = new ArrayList<>();
    int at = 0;
    while (at < line.length()) {
      char c = line.charAt(at);
      if (c == ' ' || c == '\t') {
        at++;
      } else if (c == '#') {
        break;
      } else if (c == '"') {
        at = quoted(line, at + 1, fields);
      } else {
        int end = at;
        while (end < line.length() && line.charAt(end) != ' ' && line.charAt(end) != '\t') {
          end++;
        }
        fields.add(line.substring(at, end));
        at = end;
      }
    }
    return fields;
  }

  private int quoted(String line, int start, List<String> fields) {
    StringBuilder field = new StringBuilder();
    for (int at = start; at < line.length(); at++) {
      char c = line.charAt(at);
      if (c == '"') {
        boolean ends = at + 1 == line.length() || " \t".indexOf(line.charAt(at + 1)) >= 0;
        if (!ends) {
          throw wrong("a space must follow a quoted field: column=" + (at + 2));
        }
        fields.add(field.toString());
        return at + 1;
      }
      if (c == '\\' && at + 1 < line.length()) {
        at++;
        c = line.charAt(at);
        if (c != '"' && c != '\\') {
          throw wrong("in a quoted field write \\\" or \\\\: column=" + (at + 1));
        }
      }
      field.append(c);
    }
    throw wrong("a quoted field must end on its line: column=" + start);
  }

  private List<String> warnings() {
    Set<String> withToken = new LinkedHashSet<>();
    tokens.forEach(token -> withToken.add(token.principal().key()));
    List<String> warnings = new ArrayList<>();
    firstLines.forEach(
        (name, line) -> {
          if (!rules.containsKey(name)) {
            warnings.add("line " + line + ": the principal has a token and no rights");
          } else if (!withToken.contains(name.key()) && name.text().indexOf('=') < 0) {
            warnings.add("line " + line + ": the principal has rights and no token");
          }
        });
    return warnings;
  }

  private IllegalArgumentException wrong(String rule) {
    return new IllegalArgumentException("line " + number + ": " + rule);
  }
}
