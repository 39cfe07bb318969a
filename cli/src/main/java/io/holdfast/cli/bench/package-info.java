/**
 * Measures locks: throughput, waiting times and fairness.
 *
 * <pre>{@code
 * StoreBench -> Race (alternating rounds) -> RoundRunner -> LoadThreads
 *            <- ResultTable, JsonReport, SvgChart <- RaceResult of Figures <- Samples
 * }</pre>
 *
 * <p>The load is a closed loop: a thread asks again once it has released. The waits are therefore
 * those of such a loop, and say nothing about arrivals at a fixed rate. The benchmarks module adds
 * other libraries and other kinds of load.
 */
@NullMarked
package io.holdfast.cli.bench;

import org.jspecify.annotations.NullMarked;
