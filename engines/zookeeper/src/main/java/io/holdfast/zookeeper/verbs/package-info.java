/**
 * The lock algorithm: the lane, one file for each verb, and the steps that verbs share.
 *
 * <p>Start with {@code Attempt}: it joins with {@code NodeCreation}, finds its standing with {@code
 * LineEvaluation}, and waits with {@code PredecessorWatch}. These are here and not with the
 * signals, because they decide who is next.
 */
@NullMarked
package io.holdfast.zookeeper.verbs;

import org.jspecify.annotations.NullMarked;
