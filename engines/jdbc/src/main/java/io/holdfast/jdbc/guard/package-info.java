/**
 * Protection of data in a SQL database: fence guards, transaction locks and optimistic updates.
 *
 * <p>Start with {@link io.holdfast.jdbc.guard.SqlFenceGuard}. Nothing here uses the lock engine: of
 * the other packages, guards use only connections and dialects, to connect by address.
 */
@NullMarked
package io.holdfast.jdbc.guard;

import org.jspecify.annotations.NullMarked;
