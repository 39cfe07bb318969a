/**
 * Unique ids for many machines: {@link io.holdfast.ids.Ids} is where they come from. Nothing here
 * depends on a store's own client; what is counted is counted by {@link io.holdfast.spi.Counter},
 * and worker numbers are locks.
 */
@NullMarked
package io.holdfast.ids;

import org.jspecify.annotations.NullMarked;
