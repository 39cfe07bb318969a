/**
 * Connections, their timeouts and transactions, and the mapping of SQL errors to engine exceptions.
 *
 * <p>Start with {@link io.holdfast.jdbc.connection.SqlRunner} (a connection that is replaced when
 * it breaks) or {@link io.holdfast.jdbc.connection.PinnedConnection} (a connection that locks live
 * on).
 */
@NullMarked
package io.holdfast.jdbc.connection;

import org.jspecify.annotations.NullMarked;
