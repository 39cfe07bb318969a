/**
 * How waiters and holders are notified, by watches.
 *
 * <p>Waiters use {@link io.holdfast.etcd.signals.WatchRegistry} directly; holds are watched by
 * {@link io.holdfast.etcd.signals.HoldWatcher}, over a stream of their own.
 */
@NullMarked
package io.holdfast.etcd.signals;

import org.jspecify.annotations.NullMarked;
