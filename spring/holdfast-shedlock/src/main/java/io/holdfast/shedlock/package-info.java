/**
 * A lock provider of ShedLock over Holdfast.
 *
 * <p>{@link io.holdfast.shedlock.HoldfastLockProvider} takes the place of one of ShedLock's own
 * providers; {@code @SchedulerLock} and the rest of the program stay as they are.
 */
@NullMarked
package io.holdfast.shedlock;

import org.jspecify.annotations.NullMarked;
