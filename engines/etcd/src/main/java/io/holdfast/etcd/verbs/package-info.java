/**
 * The lane and one file per verb: the algorithm of this engine.
 *
 * <p>Start with {@link io.holdfast.etcd.verbs.EtcdLane}, which runs a batch of verbs in rounds of
 * one transaction each, and go on with {@code Attempt}.
 */
@NullMarked
package io.holdfast.etcd.verbs;

import org.jspecify.annotations.NullMarked;
