/**
 * How scripts get to servers and signals come back: connections, topologies and the client
 * libraries behind them. Knows nothing of locks.
 *
 * <p>{@link io.holdfast.redis.connection.ServerTopology} is one store; it makes a {@link
 * io.holdfast.redis.connection.LaneConnection} for each lane and one {@link
 * io.holdfast.redis.connection.Subscription}.
 */
@NullMarked
package io.holdfast.redis.connection;

import org.jspecify.annotations.NullMarked;
