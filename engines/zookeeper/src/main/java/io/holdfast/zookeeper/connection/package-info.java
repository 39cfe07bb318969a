/**
 * ZooKeeper clients: how they connect, which requests they send, what their errors mean.
 *
 * <p>Start with {@link io.holdfast.zookeeper.connection.ZooKeeperConnection}.
 */
@NullMarked
package io.holdfast.zookeeper.connection;

import org.jspecify.annotations.NullMarked;
