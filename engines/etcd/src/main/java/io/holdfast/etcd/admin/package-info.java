/**
 * The side of operators: listing, revoking and evicting, and counters.
 *
 * <p>Besides layout and connection it uses the session package: evicting writes a tombstone under a
 * lease of this client, and the end of a mark is known there.
 */
@NullMarked
package io.holdfast.etcd.admin;

import org.jspecify.annotations.NullMarked;
