package io.holdfast.benchmarks;

import java.time.Duration;

/** Looks at a connected racer after its rounds. */
@FunctionalInterface
interface Profile {

  /** Looks at nobody. */
  Profile NONE = (name, runner, time) -> {};

  void look(String name, Runner runner, Duration time) throws Exception;
}
