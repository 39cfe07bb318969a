/**
 * The program {@code holdfast}: the tree of its commands, and what all of them share: where the
 * store is, how things are shown, what the exit codes mean.
 */
@NullMarked
package io.holdfast.cli;

import org.jspecify.annotations.NullMarked;
