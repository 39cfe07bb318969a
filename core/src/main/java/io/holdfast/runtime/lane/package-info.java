/** The path to the store: lanes, their threads and the batches they send. */
@NullMarked
package io.holdfast.runtime.lane;

import org.jspecify.annotations.NullMarked;
