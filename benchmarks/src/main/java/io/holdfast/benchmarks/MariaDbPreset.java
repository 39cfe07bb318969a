package io.holdfast.benchmarks;

import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.List;

/** Holdfast over MariaDB beside the libraries that people use there, and beside plain SQL. */
final class MariaDbPreset {

  static final Duration TIME = Duration.ofSeconds(1);
  static final int ROUNDS = 5;

  private static final int MANY = 16;
  private static final int MORE = 64;
  private static final int PROCESSES = 3;
  private static final int THREADS = 4;

  private static final String UNCONTENDED = "MariaDB, uncontended, 1 thread";
  private static final String OWN = "MariaDB, own names, 16 threads";
  private static final String OWN_MORE = "MariaDB, own names, 64 threads";
  private static final String SHARED = "MariaDB, one name, 16 threads";
  private static final String APART = "MariaDB, one name, 3 processes x 4 threads";

  private final Lineup lineup;
  private final String store;

  /**
   * The races on one server.
   *
   * @param store its URI
   */
  MariaDbPreset(Lineup lineup, String store) {
    this.lineup = lineup;
    this.store = store;
  }

  /** The races, less than four minutes in all at the usual time and rounds. */
  List<Race> races(Duration time, int rounds) {
    Entrant[] all = DatabasePeers.beside(store);
    Setup apart = new Setup(Mode.PROCESSES, THREADS, PROCESSES, 0, Duration.ZERO, time, rounds);
    return List.of(
        lineup.of(UNCONTENDED, Setup.of(Mode.OWN, 1, time, rounds), all),
        lineup.of(OWN, Setup.of(Mode.OWN, MANY, time, rounds), all),
        lineup.of(OWN_MORE, Setup.of(Mode.OWN, MORE, time, rounds), all),
        lineup.of(SHARED, Setup.of(Mode.SHARED, MANY, time, rounds), all),
        lineup.of(APART, apart, all));
  }

  static List<Goal> goals() {
    String any = Entrant.holdfast(StoreKind.MARIADB.prefix(), Order.ANY).contender().name();
    return List.of(new Goal(OWN_MORE, any, Measure.times(List.of(DatabasePeers.SPRING)), 4));
  }
}
