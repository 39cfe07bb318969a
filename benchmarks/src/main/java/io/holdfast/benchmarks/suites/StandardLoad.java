package io.holdfast.benchmarks.suites;

import io.holdfast.cli.bench.LoadMode;
import io.holdfast.cli.bench.RaceSetup;
import java.time.Duration;

/** The load that all suites share, so that their figures can be compared. */
final class StandardLoad {

  static final Duration TIME = Duration.ofSeconds(1);
  static final int ROUNDS = 5;

  static final int MANY = 16;
  static final int MORE = 64;

  /** Time spent in the protected section, where a race has any. */
  static final Duration WORK = Duration.ofNanos(200_000);

  private static final int PROCESSES = 3;
  private static final int THREADS = 4;
  private static final int HELD_ROUNDS = 1;

  private StandardLoad() {}

  /** Three processes with four threads each on one name. */
  static RaceSetup processes(Duration section, Duration time, int rounds) {
    return new RaceSetup(LoadMode.PROCESSES, THREADS, PROCESSES, 0, section, time, rounds);
  }

  /** One thread while many locks stay held. */
  static RaceSetup held(int locks, Duration time) {
    return new RaceSetup(LoadMode.HELD, MANY, 1, locks, Duration.ZERO, time, HELD_ROUNDS);
  }
}
