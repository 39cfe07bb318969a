/**
 * The layout {@code hf1}: a row for each resource, and a row for each ticket of a line.
 *
 * <p>Start with {@link io.holdfast.jdbc.table.layout.ResourceRow}. Also has the values that the
 * other packages pass to each other: {@code VerbResult} and {@code WakeMessage}.
 */
@NullMarked
package io.holdfast.jdbc.table.layout;

import org.jspecify.annotations.NullMarked;
