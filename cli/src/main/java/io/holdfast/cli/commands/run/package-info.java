/**
 * Commands that run another program under a lock: {@code run}, {@code once}, {@code elect}.
 *
 * <p>{@link io.holdfast.cli.commands.run.SupervisedCommand} ends the program before its lock can be
 * held by anybody else.
 */
@NullMarked
package io.holdfast.cli.commands.run;

import org.jspecify.annotations.NullMarked;
