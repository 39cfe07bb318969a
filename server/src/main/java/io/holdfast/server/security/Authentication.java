package io.holdfast.server.security;

/** The result of {@link Authenticator#authenticate}. */
public sealed interface Authentication {

  /** The caller is known. */
  record Accepted(Identity identity, Principal principal) implements Authentication {}

  /** The caller is not known, or its credentials are wrong. */
  record Rejected(Refusal refusal) implements Authentication {}
}
