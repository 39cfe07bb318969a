/**
 * Holdfast over ZooKeeper. Every ticket is an ephemeral sequential node below the node of its
 * resource; who is in follows from the names of the children alone.
 */
@NullMarked
package io.holdfast.zookeeper;

import org.jspecify.annotations.NullMarked;
