package io.holdfast.server.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/** The SHA-256 of a bearer token, as the auth file has it. */
final class TokenHash {

  static final String LABEL = "sha256:";

  private static final Pattern FORM = Pattern.compile(LABEL + "[0-9a-fA-F]{64}");

  private final byte[] hash;

  private TokenHash(byte[] hash) {
    this.hash = hash;
  }

  static TokenHash of(String token) {
    return new TokenHash(sha256(token.getBytes(StandardCharsets.UTF_8)));
  }

  /** Parses a hash in a line of the auth file, if it is one. */
  static Optional<TokenHash> parse(String text) {
    return FORM.matcher(text).matches()
        ? Optional.of(new TokenHash(HexFormat.of().parseHex(text.substring(LABEL.length()))))
        : Optional.empty();
  }

  /** Returns whether they are the same. The time that it takes does not depend on the bytes. */
  boolean matches(TokenHash other) {
    return MessageDigest.isEqual(hash, other.hash);
  }

  static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Returns the text of the auth file. */
  @Override
  public String toString() {
    return LABEL + HexFormat.of().formatHex(hash);
  }
}
