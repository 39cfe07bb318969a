/**
 * The engine for etcd, its options and its fence guard: the public types.
 *
 * <p>The algorithm is in the package {@code verbs}; start reading there.
 */
@NullMarked
package io.holdfast.etcd;

import org.jspecify.annotations.NullMarked;
