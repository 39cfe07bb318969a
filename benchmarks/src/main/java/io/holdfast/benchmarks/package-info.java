/**
 * Compares Holdfast with other lock libraries.
 *
 * <pre>{@code
 * Bench -> BenchOptions -> Suite or RaceFactory -> Race -> RoundRunner
 * }</pre>
 *
 * <p>Races, figures and reports are those of the program, in {@code io.holdfast.cli.bench}. What is
 * added here: other libraries ({@code peers}), several processes and held locks ({@code runners}),
 * races with bars ({@code suites}), JMH benchmarks ({@code micro}) and id generators ({@code ids}).
 */
@NullMarked
package io.holdfast.benchmarks;

import org.jspecify.annotations.NullMarked;
