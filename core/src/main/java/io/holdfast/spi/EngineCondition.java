package io.holdfast.spi;

import java.util.List;
import java.util.Map;

/**
 * The condition of an engine and its store, for health checks and metrics.
 *
 * @param warnings what to fix before it costs a lock, each as a sentence without secrets
 * @param counters what happened so far, by names such as {@code signals.lost}
 */
public record EngineCondition(List<String> warnings, Map<String, Long> counters) {

  /** No warnings and no counters. */
  public static final EngineCondition WELL = new EngineCondition(List.of(), Map.of());

  public EngineCondition {
    warnings = List.copyOf(warnings);
    counters = Map.copyOf(counters);
  }
}
