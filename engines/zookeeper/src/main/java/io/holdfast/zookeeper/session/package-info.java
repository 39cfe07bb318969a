/**
 * The session of a client, its heartbeat, and the tickets that live on it.
 *
 * <p>Start with {@link io.holdfast.zookeeper.session.Session}. A ticket ends with its session, so
 * the table of this client's tickets is here; tickets listen to watches, so this package uses the
 * signals.
 */
@NullMarked
package io.holdfast.zookeeper.session;

import org.jspecify.annotations.NullMarked;
