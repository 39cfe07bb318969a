/** Calls to etcd: members and their channels, one call at a time, and one stream of watches. */
@NullMarked
package io.holdfast.etcd.wire;

import org.jspecify.annotations.NullMarked;
