/**
 * The binary messages between the remote engine and the lock service, version 1.
 *
 * <p>Exported to these two modules alone. Each message is one binary WebSocket message of the
 * subprotocol {@value io.holdfast.spi.wire.Wire#SUBPROTOCOL}; {@link io.holdfast.spi.wire.Wire} has
 * the list.
 */
@NullMarked
package io.holdfast.spi.wire;

import org.jspecify.annotations.NullMarked;
