/** Id generators side by side with the peers. */
@NullMarked
package io.holdfast.benchmarks.ids;

import org.jspecify.annotations.NullMarked;
