/**
 * The lane of this engine: it sends verbs to a server as they are, with the client's own tickets.
 *
 * <p>Start with {@link io.holdfast.remote.verbs.RemoteLane}.
 */
@NullMarked
package io.holdfast.remote.verbs;

import org.jspecify.annotations.NullMarked;
