/** One small program for each thing that Holdfast can do; the documentation quotes from them. */
@NullMarked
package io.holdfast.examples;

import org.jspecify.annotations.NullMarked;
