/**
 * Commands for operators: {@code ls}, {@code show}, {@code watch} and {@code release}.
 *
 * <p>{@link io.holdfast.cli.commands.inspect.OperatorSession} asks the store.
 */
@NullMarked
package io.holdfast.cli.commands.inspect;

import org.jspecify.annotations.NullMarked;
