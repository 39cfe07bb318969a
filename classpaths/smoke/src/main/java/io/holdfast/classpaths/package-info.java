/** A program that uses every engine, to be run on class paths that others have put together. */
@NullMarked
package io.holdfast.classpaths;

import org.jspecify.annotations.NullMarked;
