/**
 * The commands of the program, one class each.
 *
 * <p>Here are {@code bench}, {@code completion}, {@code guarantees} and {@code id}; commands that
 * share more with each other have packages of their own.
 */
@NullMarked
package io.holdfast.cli.commands;

import org.jspecify.annotations.NullMarked;
