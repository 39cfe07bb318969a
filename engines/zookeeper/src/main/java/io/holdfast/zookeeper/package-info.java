/**
 * Holdfast over ZooKeeper: the public types.
 *
 * <p>Every ticket is an ephemeral sequential node below the node of its resource; the names of the
 * children decide which tickets are granted. {@link io.holdfast.zookeeper.ZooKeeperEngine} connects
 * the packages: {@code verbs} (the algorithm), {@code layout}, {@code signals}, {@code session},
 * {@code connection} and {@code admin}. Each package uses only the packages below it: verbs and
 * admin, then session, then signals and layout, then connection. Only this package is meant for
 * programs.
 */
@NullMarked
package io.holdfast.zookeeper;

import org.jspecify.annotations.NullMarked;
