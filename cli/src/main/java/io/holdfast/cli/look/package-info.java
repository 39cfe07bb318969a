/**
 * Commands that look at a store and act on what is there: {@code ls}, {@code show}, {@code watch},
 * {@code release}, {@code id}, {@code guarantees}, {@code doctor}, {@code bench}, {@code
 * completion}.
 */
@NullMarked
package io.holdfast.cli.look;

import org.jspecify.annotations.NullMarked;
