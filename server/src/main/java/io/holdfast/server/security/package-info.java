/**
 * Who may do what at the lock service: authentication, rights, limits, TLS and sealed tickets.
 *
 * <p>Handlers ask in this order: {@link io.holdfast.server.security.OriginPolicy} whether the
 * request may come from a web page, {@link io.holdfast.server.security.Authenticator} who the
 * caller is, {@link io.holdfast.server.security.AccessCheck} whether the caller has the right, and
 * {@link io.holdfast.server.security.PrincipalLimits} whether there is room. Each returns a {@link
 * io.holdfast.server.security.Refusal} that becomes a problem document, or nothing.
 *
 * <p>No class here writes a token, a password or a ticket into a log, an error or its {@code
 * toString()}.
 */
@NullMarked
package io.holdfast.server.security;

import org.jspecify.annotations.NullMarked;
