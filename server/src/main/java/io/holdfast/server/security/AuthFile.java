package io.holdfast.server.security;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;

/**
 * The principals of the service with their tokens and rights, as the auth file states them.
 *
 * <p>The file is UTF-8 text. Each line is empty, a comment that begins with {@code #}, or one of
 *
 * <pre>
 * token  sha256:HASH  PRINCIPAL
 * allow  PRINCIPAL    RIGHTS  NAMESPACE  NAMES
 * </pre>
 *
 * <p>A principal is a plain word or the subject of a client certificate. Rights are {@code lock},
 * {@code look}, {@code operate} and {@code count}, separated by commas, or {@code all}. A namespace
 * is its name, or {@code *} for every one. Names are one name, all that begin with a prefix ({@code
 * orders/*}), or all ({@code *}). A field with spaces is in double quotes.
 *
 * <p>Immutable.
 */
public final class AuthFile {

  /** The SHA-256 of a token, and for whom it speaks. */
  record TokenEntry(TokenHash hash, PrincipalName principal) {}

  /** Without tokens and rights. */
  static final AuthFile EMPTY = new AuthFile(List.of(), Map.of(), List.of());

  private final List<TokenEntry> tokens;
  private final Map<String, Principal> principals;
  private final List<String> warnings;

  private AuthFile(
      List<TokenEntry> tokens, Map<String, Principal> principals, List<String> warnings) {
    this.tokens = List.copyOf(tokens);
    this.principals = principals;
    this.warnings = List.copyOf(warnings);
  }

  /**
   * Parses the text of an auth file.
   *
   * @throws IllegalArgumentException when a line is wrong: the message has the number of the line,
   *     the value and the rule, but no value that may be a token
   */
  public static AuthFile parse(String text) {
    return AuthFileParser.parse(text);
  }

  static AuthFile of(
      List<TokenEntry> tokens, Map<PrincipalName, List<AccessRule>> rules, List<String> warnings) {
    Map<String, Principal> principals = new LinkedHashMap<>();
    rules.forEach(
        (name, its) ->
            principals.put(name.key(), new Principal(name.text(), new ArrayList<>(its))));
    for (TokenEntry token : tokens) {
      PrincipalName name = token.principal();
      principals.computeIfAbsent(name.key(), key -> new Principal(name.text(), List.of()));
    }
    return new AuthFile(tokens, principals, warnings);
  }

  /**
   * Returns the principal of a token.
   *
   * <p>Every hash of the file is compared, each in constant time, so the time of a call tells
   * nothing about the tokens.
   */
  Optional<Principal> principal(BearerToken token) {
    TokenHash hash = token.hash();
    Optional<Principal> found = Optional.empty();
    for (TokenEntry entry : tokens) {
      if (entry.hash().matches(hash)) {
        found = Optional.ofNullable(principals.get(entry.principal().key()));
      }
    }
    return found;
  }

  /**
   * Returns the principal of a verified certificate; without rights if the file has none for it.
   */
  Principal principal(X500Principal subject) {
    PrincipalName name = PrincipalName.of(subject);
    return principals.getOrDefault(name.key(), new Principal(name.text(), List.of()));
  }

  /** Returns all principals. */
  public Collection<Principal> principals() {
    return principals.values();
  }

  /** Returns what is probably a mistake, a sentence each. */
  public List<String> warnings() {
    return warnings;
  }

  /** Returns a summary for the log. */
  @Override
  public String toString() {
    return principals.size() + " principals, " + tokens.size() + " tokens";
  }
}
