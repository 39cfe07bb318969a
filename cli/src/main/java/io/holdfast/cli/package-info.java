/**
 * The program {@code holdfast}: its entry point, exit codes, error reports and terminal output.
 *
 * <p>{@link io.holdfast.cli.Main} lists the commands; each is a class in {@code commands}. {@code
 * store} finds the store, {@code bench} measures it, and {@code demo} shows locks at work.
 */
@NullMarked
package io.holdfast.cli;

import org.jspecify.annotations.NullMarked;
