package io.holdfast.benchmarks.suites;

import io.holdfast.benchmarks.peers.ContenderSpec;
import io.holdfast.benchmarks.peers.Peers;
import io.holdfast.cli.bench.LoadMode;
import io.holdfast.cli.bench.Race;
import io.holdfast.cli.bench.RaceSetup;
import io.holdfast.cli.bench.StoreKind;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.List;

/** Holdfast over MariaDB, next to the libraries used there and to plain SQL. */
final class MariaDbSuite {

  static final Duration TIME = StandardLoad.TIME;
  static final int ROUNDS = StandardLoad.ROUNDS;

  private static final String UNCONTENDED = "MariaDB, uncontended, 1 thread";
  private static final String OWN = "MariaDB, own names, 16 threads";
  private static final String OWN_MORE = "MariaDB, own names, 64 threads";
  private static final String SHARED = "MariaDB, one name, 16 threads";
  private static final String APART = "MariaDB, one name, 3 processes x 4 threads";

  private final RaceFactory lineup;
  private final String store;

  /**
   * The races on one server.
   *
   * @param store its URI
   */
  MariaDbSuite(RaceFactory lineup, String store) {
    this.lineup = lineup;
    this.store = store;
  }

  /** The races, less than four minutes in all at the usual time and rounds. */
  List<Race> races(Duration time, int rounds) {
    ContenderSpec[] all = ContenderSpec.overDatabase(store);
    RaceSetup apart = StandardLoad.processes(Duration.ZERO, time, rounds);
    return List.of(
        lineup.of(UNCONTENDED, RaceSetup.of(LoadMode.OWN, 1, time, rounds), all),
        lineup.of(OWN, RaceSetup.of(LoadMode.OWN, StandardLoad.MANY, time, rounds), all),
        lineup.of(OWN_MORE, RaceSetup.of(LoadMode.OWN, StandardLoad.MORE, time, rounds), all),
        lineup.of(SHARED, RaceSetup.of(LoadMode.SHARED, StandardLoad.MANY, time, rounds), all),
        lineup.of(APART, apart, all));
  }

  static List<Goal> goals() {
    String any = ContenderSpec.holdfast(StoreKind.MARIADB.prefix(), Order.ANY).contender().name();
    return List.of(new Goal(OWN_MORE, any, Measure.times(List.of(Peers.SPRING_JDBC)), 4));
  }
}
