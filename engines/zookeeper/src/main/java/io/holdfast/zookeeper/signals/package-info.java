/**
 * How waiters and holders are notified: ZooKeeper watches and their listeners.
 *
 * <p>Start with {@link io.holdfast.zookeeper.signals.PathWatcher} for waiters and {@link
 * io.holdfast.zookeeper.signals.HeldNodeWatches} for holders.
 */
@NullMarked
package io.holdfast.zookeeper.signals;

import org.jspecify.annotations.NullMarked;
