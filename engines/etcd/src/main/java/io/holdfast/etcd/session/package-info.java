/**
 * What this client keeps in the store and for how long: leases, and the tickets and marks under
 * them.
 *
 * <p>Start with {@link io.holdfast.etcd.session.SharedLease}: the lease that keeps the tickets of
 * this client, and why a holder may believe in it.
 */
@NullMarked
package io.holdfast.etcd.session;

import org.jspecify.annotations.NullMarked;
