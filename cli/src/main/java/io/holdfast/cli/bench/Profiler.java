package io.holdfast.cli.bench;

import java.time.Duration;

/** Examines a connected entry after its rounds. */
@FunctionalInterface
public interface Profiler {

  /** Looks at nobody. */
  Profiler NONE = (name, runner, time) -> {};

  void look(String name, RoundRunner runner, Duration time) throws Exception;
}
