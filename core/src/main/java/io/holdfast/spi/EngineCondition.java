package io.holdfast.spi;

import java.util.List;
import java.util.Map;

/**
 * How an engine and its store are, beside answering: for health checks and metrics.
 *
 * @param warnings what somebody should mend before it costs a lock, each in a sentence without
 *     secrets
 * @param counters what happened so far, by names such as {@code signals.lost}
 */
public record EngineCondition(List<String> warnings, Map<String, Long> counters) {

  /** Nothing to say. */
  public static final EngineCondition WELL = new EngineCondition(List.of(), Map.of());

  public EngineCondition {
    warnings = List.copyOf(warnings);
    counters = Map.copyOf(counters);
  }
}
