/**
 * What is in the store: keys, how values are written, and a snapshot of a line.
 *
 * <p>Start with {@link io.holdfast.etcd.layout.Layout}, which lists all keys. This package only
 * builds requests and reads replies; it sends nothing and uses no other package of the engine.
 */
@NullMarked
package io.holdfast.etcd.layout;

import org.jspecify.annotations.NullMarked;
