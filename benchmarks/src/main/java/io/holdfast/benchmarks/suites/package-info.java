/**
 * The suites of {@code ./holdfast bench}: races over one kind of store, and bars.
 *
 * <p>Start reading at {@link io.holdfast.benchmarks.suites.Suite}.
 */
@NullMarked
package io.holdfast.benchmarks.suites;

import org.jspecify.annotations.NullMarked;
