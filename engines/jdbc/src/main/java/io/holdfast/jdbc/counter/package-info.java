/** Counters for distributed ids, shared by all modes of the engine. */
@NullMarked
package io.holdfast.jdbc.counter;

import org.jspecify.annotations.NullMarked;
