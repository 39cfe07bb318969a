/**
 * The fault kit: the same faults on every engine, such as a killed holder.
 *
 * <p>An engine's test extends {@link io.holdfast.tck.faults.EngineFaultKit} and supplies a {@link
 * io.holdfast.tck.faults.FaultStore}: how to connect, and how to kill, freeze, cut off and restart.
 * {@link io.holdfast.tck.faults.FaultScenario} lists what is played. Start reading there.
 */
@NullMarked
package io.holdfast.tck.faults;

import org.jspecify.annotations.NullMarked;
