/**
 * How a caller gets a grant: the wait loop, claims on the store, and local hand-over.
 *
 * <p>Start reading at {@code Acquisition} and {@code LocalLine}.
 */
@NullMarked
package io.holdfast.runtime.acquire;

import org.jspecify.annotations.NullMarked;
