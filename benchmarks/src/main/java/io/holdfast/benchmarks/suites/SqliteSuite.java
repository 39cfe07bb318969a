package io.holdfast.benchmarks.suites;

import io.holdfast.benchmarks.peers.ContenderSpec;
import io.holdfast.cli.bench.LoadMode;
import io.holdfast.cli.bench.Race;
import io.holdfast.cli.bench.RaceSetup;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.List;

/** Holdfast over a file that the processes of one machine share; it has no bars. */
final class SqliteSuite {

  static final Duration TIME = Duration.ofSeconds(1);
  static final int ROUNDS = 5;

  private static final int PROCESSES = 4;

  private static final String OWN = "SQLite, own names, 4 processes x 1 thread";
  private static final String SHARED = "SQLite, one name, 4 processes x 1 thread";
  private static final String COLD = "SQLite, from open to the first lock, cold process";

  private SqliteSuite() {}

  /**
   * The races, about half a minute in all at the usual time and rounds.
   *
   * @param store the file's URI
   */
  static List<Race> races(RaceFactory lineup, String store, Duration time, int rounds) {
    ContenderSpec any = ContenderSpec.holdfast(store, Order.ANY);
    return List.of(
        lineup.of(OWN, setup(LoadMode.PROCESSES_OWN, PROCESSES, time, rounds), any),
        lineup.of(SHARED, setup(LoadMode.PROCESSES, PROCESSES, time, rounds), any),
        lineup.of(COLD, setup(LoadMode.COLD, 1, time, rounds), any));
  }

  private static RaceSetup setup(LoadMode mode, int processes, Duration time, int rounds) {
    return new RaceSetup(mode, 1, processes, 0, Duration.ZERO, time, rounds);
  }
}
