/** The layout {@code hf1}: a row for each resource, and a row for each ticket of a line. */
@NullMarked
package io.holdfast.jdbc.table;

import org.jspecify.annotations.NullMarked;
