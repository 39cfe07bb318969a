/**
 * What is stored in ZooKeeper: paths, names of children, contents of nodes, and their removal.
 *
 * <p>Start with {@link io.holdfast.zookeeper.layout.LineSnapshot}. Records that both verbs and
 * admin read and remove are accessed here, so this package uses the connection.
 */
@NullMarked
package io.holdfast.zookeeper.layout;

import org.jspecify.annotations.NullMarked;
