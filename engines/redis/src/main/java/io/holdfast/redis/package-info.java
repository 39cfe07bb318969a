/**
 * The Redis engines. {@link io.holdfast.redis.RedisEngine} serves one server, Sentinel and Cluster;
 * {@link io.holdfast.redis.RedlockEngine} serves independent masters.
 *
 * <p>The public types are here; this package only wires the internal packages: {@code verbs} (the
 * algorithm: start with {@code verbs.Attempt}), {@code layout}, {@code signals}, {@code
 * connection}, {@code admin} and {@code redlock}. There is no {@code session} package: on Redis the
 * lease is the expiry of the key itself.
 *
 * <p>{@link io.holdfast.redis.RedisOptions} is the only type of this package that packages use: it
 * is how a program names servers, logins and TLS.
 */
@NullMarked
package io.holdfast.redis;

import org.jspecify.annotations.NullMarked;
