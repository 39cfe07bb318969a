/** The real clocks, threads and randomness, and delays between retries. */
@NullMarked
package io.holdfast.runtime.time;

import org.jspecify.annotations.NullMarked;
