package io.holdfast.server.security;

import java.util.Optional;

/**
 * The client that sent a request.
 *
 * @param identity who it is; its rights are looked up for each request
 * @param from its address
 * @param connection room for its connection, which may be for renewals and releases alone
 */
public record Caller(Identity identity, String from, Permit connection) {

  /** A client that is not known yet, and may do nothing. */
  public static final Caller NOBODY =
      new Caller(new Identity(() -> AuthFile.EMPTY, file -> Optional.empty()), "");

  /** Creates the sender of a single request, which needs no room for a connection. */
  public Caller(Identity identity, String from) {
    this(identity, from, Permit.free());
  }

  /** Returns the principal with its rights as of now, unless its token was removed. */
  public Optional<Principal> principal() {
    return identity.principal();
  }

  /** Returns the same client on a connection. */
  public Caller on(Permit room) {
    return new Caller(identity, from, room);
  }
}
