package io.holdfast.server.security;

import java.util.Optional;

/**
 * Why a request is turned away before it reaches the store: nothing was changed.
 *
 * @param status the HTTP status: 400, 401, 403, 409 or 429
 * @param detail one sentence for the caller, without secrets
 * @param authenticate the header {@code WWW-Authenticate}, with 401 only
 */
public record Refusal(int status, String detail, Optional<String> authenticate) {

  private static final String SCHEME = "Bearer realm=\"holdfast\"";

  /** The request has no credentials. */
  static Refusal noCredentials(String detail) {
    return new Refusal(401, detail, Optional.of(SCHEME));
  }

  /** The request has credentials, and they are wrong. */
  static Refusal wrongCredentials(String detail) {
    String header = SCHEME + ", error=\"invalid_token\"";
    return new Refusal(401, detail, Optional.of(header));
  }

  static Refusal malformed(String detail) {
    return new Refusal(400, detail, Optional.empty());
  }

  static Refusal forbidden(String detail) {
    return new Refusal(403, detail, Optional.empty());
  }

  /** Nobody may do this here, whatever right there is. */
  public static Refusal notPossible(String detail) {
    return new Refusal(409, detail, Optional.empty());
  }

  /** There is no room now. */
  public static Refusal overloaded(String detail) {
    return new Refusal(429, detail, Optional.empty());
  }
}
