/** A granted hold: its state, and the handle that users receive. */
@NullMarked
package io.holdfast.runtime.hold;

import org.jspecify.annotations.NullMarked;
