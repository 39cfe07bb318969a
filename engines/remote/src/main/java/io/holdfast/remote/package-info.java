/** Locks of a store that a lock service, {@code holdfast server}, stands in front of. */
@NullMarked
package io.holdfast.remote;

import org.jspecify.annotations.NullMarked;
