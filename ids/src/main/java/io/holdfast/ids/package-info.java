/**
 * Unique ids for many machines.
 *
 * <p>{@link io.holdfast.ids.Ids} creates the generators. They count through {@link
 * io.holdfast.spi.Counter}, and worker numbers are locks, so they work on every store.
 */
@NullMarked
package io.holdfast.ids;

import org.jspecify.annotations.NullMarked;
