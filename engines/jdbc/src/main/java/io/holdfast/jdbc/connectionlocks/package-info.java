/**
 * The modes session and row: locks that live as long as a connection.
 *
 * <p>Start with {@link io.holdfast.jdbc.connectionlocks.ConnectionLockEngine}. {@code SessionMode}
 * keeps all locks of a client on one session, {@code RowMode} each on a connection with an open
 * transaction; both share tables, token counters, admission and the heartbeat.
 */
@NullMarked
package io.holdfast.jdbc.connectionlocks;

import org.jspecify.annotations.NullMarked;
