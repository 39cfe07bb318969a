/**
 * Holdfast side by side with its peers: who lets how many callers in, how long they wait for it and
 * how evenly they get in, with the machine's noise made visible.
 *
 * <pre>{@code
 * Bench -> Options -> Lineup (entrants) -> Race (alternating rounds) -> Runner -> Crew of Workers
 *       <- Table, JsonReport, SvgChart <- Row of Figures <- Samples
 * }</pre>
 *
 * <p>The load is a closed loop: a thread asks again once it has released. So the waits are what the
 * callers of such a loop see, and say nothing about arrivals at a fixed rate.
 */
@NullMarked
package io.holdfast.benchmarks;

import org.jspecify.annotations.NullMarked;
