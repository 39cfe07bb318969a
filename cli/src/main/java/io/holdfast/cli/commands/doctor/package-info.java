/**
 * {@code doctor}: checks of this machine and of each kind of store.
 *
 * <p>{@link io.holdfast.cli.commands.doctor.Checkup} runs the checks in their order.
 */
@NullMarked
package io.holdfast.cli.commands.doctor;

import org.jspecify.annotations.NullMarked;
