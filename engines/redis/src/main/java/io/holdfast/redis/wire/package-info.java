/**
 * How scripts get to servers and signals come back: connections, topologies and the client
 * libraries behind them. Knows nothing of locks.
 *
 * <p>{@link io.holdfast.redis.wire.Wiring} is one store; it makes a {@link
 * io.holdfast.redis.wire.Wire} for each lane and one {@link io.holdfast.redis.wire.Subscription}.
 */
@NullMarked
package io.holdfast.redis.wire;

import org.jspecify.annotations.NullMarked;
