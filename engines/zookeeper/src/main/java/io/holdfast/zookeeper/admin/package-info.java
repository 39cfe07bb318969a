/**
 * For operators: inspector and sweeper, and the counters of id generators.
 *
 * <p>Start with {@link io.holdfast.zookeeper.admin.ZooKeeperInspector}. Requests need a session, so
 * this package uses the session as well as layout and connection.
 */
@NullMarked
package io.holdfast.zookeeper.admin;

import org.jspecify.annotations.NullMarked;
