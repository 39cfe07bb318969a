/** The primitives of the API over the line of a resource: locks, semaphores, elections. */
@NullMarked
package io.holdfast.runtime.primitive;

import org.jspecify.annotations.NullMarked;
