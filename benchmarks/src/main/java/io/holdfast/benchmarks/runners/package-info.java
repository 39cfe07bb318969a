/**
 * Rounds that the program's own bench does not have: several processes, cold starts, held locks.
 *
 * <p>{@link io.holdfast.benchmarks.runners.ProcessRunner} starts child JVMs and collects their
 * samples; {@link io.holdfast.benchmarks.runners.HotSpots} profiles a connected entry.
 */
@NullMarked
package io.holdfast.benchmarks.runners;

import org.jspecify.annotations.NullMarked;
