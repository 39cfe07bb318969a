/**
 * Holdfast over Redis. {@link io.holdfast.redis.RedisEngine} serves one server, Sentinel and
 * Cluster; the scripts beside its class are the atomic steps.
 */
@NullMarked
package io.holdfast.redis;

import org.jspecify.annotations.NullMarked;
