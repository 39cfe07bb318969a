/**
 * The way to the cluster: members and their channels, login, calls, and the mapping of errors.
 *
 * <p>Start with {@link io.holdfast.etcd.connection.EtcdConnection}. It knows nothing of locks.
 */
@NullMarked
package io.holdfast.etcd.connection;

import org.jspecify.annotations.NullMarked;
