package io.holdfast.server.security;

import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;

/**
 * The name of a principal: a plain word, or the subject of a client certificate.
 *
 * <p>A plain word never contains an equals sign and a subject always does, so a certificate cannot
 * take the name of a token's principal.
 *
 * @param text as it is shown
 * @param key what two spellings of one subject have in common
 */
record PrincipalName(String text, String key) {

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@:/-]{0,127}");

  /**
   * Parses a name.
   *
   * @throws IllegalArgumentException when it is not well formed; the message has the rule alone,
   *     because what is in the place of a name may be a token
   */
  static PrincipalName parse(String text) {
    if (text.startsWith(BearerToken.PREFIX)) {
      throw new IllegalArgumentException(
          "a principal must not begin with " + BearerToken.PREFIX + ", as tokens do");
    }
    if (PLAIN.matcher(text).matches()) {
      return new PrincipalName(text, text);
    }
    if (text.indexOf('=') > 0) {
      try {
        return of(new X500Principal(text));
      } catch (IllegalArgumentException e) {
        // Without its cause, which quotes the text.
        throw new IllegalArgumentException(
            "a principal with an equals sign must be the subject of a certificate, such as"
                + " \"CN=billing,O=Example\"");
      }
    }
    throw new IllegalArgumentException(
        "a principal must match " + PLAIN.pattern() + " or be the subject of a certificate");
  }

  static PrincipalName of(X500Principal subject) {
    return new PrincipalName(
        subject.getName(X500Principal.RFC2253), subject.getName(X500Principal.CANONICAL));
  }
}
