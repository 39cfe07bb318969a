package io.holdfast.server.security;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The secret that a client sends with {@code Authorization: Bearer}, and its line in the auth file.
 *
 * <p>The file has only the SHA-256 of a token. That is enough because tokens that {@link #create}
 * makes have 256 random bits; a chosen word could be guessed from its hash.
 */
public final class BearerToken {

  /** What created tokens begin with, so that scanners for leaked secrets recognise them. */
  static final String PREFIX = "holdfast_";

  private static final int BYTES = 32;
  private static final int LONGEST = 1024;
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._~+/-]{1," + LONGEST + "}=*");
  private static final SecureRandom RANDOM = new SecureRandom();

  private final String secret;

  private BearerToken(String secret) {
    this.secret = secret;
  }

  /** Returns a new random token. */
  public static BearerToken create() {
    byte[] random = new byte[BYTES];
    RANDOM.nextBytes(random);
    return new BearerToken(PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(random));
  }

  /** Returns a token that a client sent, if it has the form that RFC 6750 gives to tokens. */
  static Optional<BearerToken> of(String text) {
    return text.length() <= LONGEST && FORM.matcher(text).matches()
        ? Optional.of(new BearerToken(text))
        : Optional.empty();
  }

  /** Returns the secret, for the client alone. Show it once and keep it nowhere. */
  public String secret() {
    return secret;
  }

  /**
   * Returns the line of the auth file that lets this token speak for a principal.
   *
   * @throws IllegalArgumentException when the principal is not well formed
   */
  public String line(String principal) {
    String name = PrincipalName.parse(principal).text();
    boolean plain = name.chars().allMatch(c -> c > ' ' && c != '"' && c != '\\' && c != '#');
    String field = plain ? name : '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    return "token " + hash() + " " + field;
  }

  TokenHash hash() {
    return TokenHash.of(secret);
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "bearer token";
  }
}
