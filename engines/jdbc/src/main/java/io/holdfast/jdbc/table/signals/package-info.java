/**
 * How waiters learn that it is worth asking again, and holders that their rows were changed.
 *
 * <p>Start with {@link io.holdfast.jdbc.table.signals.LockSignals}: LISTEN/NOTIFY on PostgreSQL, a
 * polling thread on SQLite, elsewhere wakes among the tickets of one client.
 */
@NullMarked
package io.holdfast.jdbc.table.signals;

import org.jspecify.annotations.NullMarked;
