/** The engine for etcd, with its options and its fence guard. */
@NullMarked
package io.holdfast.etcd;

import org.jspecify.annotations.NullMarked;
