/**
 * Redlock: the verbs as votes of independent masters, with the fencing token as the ballot. Start
 * with {@link io.holdfast.redis.redlock.RedlockLane}, then {@code RedlockAttempt}.
 *
 * <p>The connections to the masters live here and not in the connection package, because who may
 * vote and what a master must still be sent are questions of this protocol alone.
 */
@NullMarked
package io.holdfast.redis.redlock;

import org.jspecify.annotations.NullMarked;
