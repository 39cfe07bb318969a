package io.holdfast.benchmarks.suites;

import io.holdfast.benchmarks.peers.ContenderSpec;
import io.holdfast.benchmarks.peers.Peers;
import io.holdfast.cli.bench.ExtraFigures;
import io.holdfast.cli.bench.LoadMode;
import io.holdfast.cli.bench.Race;
import io.holdfast.cli.bench.RaceSetup;
import io.holdfast.cli.bench.StoreKind;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.List;

/** Holdfast over PostgreSQL, next to the libraries used there and to plain SQL. */
final class PostgresSuite {

  static final Duration TIME = StandardLoad.TIME;
  static final int ROUNDS = StandardLoad.ROUNDS;

  static final int HELD = 5_000;

  /** The lease is half a second shorter. */
  private static final Duration HELD_TIME = Duration.ofMillis(10_500);

  /** Locks that belong to a connection instead of a row. */
  private static final String SESSION_MODE = "holdfast.mode=session";

  /** One connection for requests; every client keeps another one for its holds. */
  private static final String ONE_LANE = "holdfast.lanes=1";

  private static final String UNCONTENDED = "PostgreSQL, uncontended, 1 thread";
  private static final String OWN = "PostgreSQL, own names, 16 threads";
  private static final String OWN_MORE = "PostgreSQL, own names, 64 threads";
  private static final String SHARED = "PostgreSQL, one name, 16 threads";
  private static final String APART = "PostgreSQL, one name, 3 processes x 4 threads";
  private static final String APART_WORK = APART + ", 200 us in the section";
  private static final String SESSIONS = "PostgreSQL sessions, own names, 16 threads";
  private static final String HOLDING = "PostgreSQL, 1 thread, 5,000 held locks";

  private final RaceFactory lineup;
  private final String store;

  /**
   * The races on one server.
   *
   * @param store its URI
   */
  PostgresSuite(RaceFactory lineup, String store) {
    this.lineup = lineup;
    this.store = store;
  }

  /** The races, less than six minutes in all at the usual time and rounds. */
  List<Race> races(Duration time, int rounds) {
    ContenderSpec[] all = ContenderSpec.overDatabase(store);
    RaceSetup held = StandardLoad.held(HELD, HELD_TIME);
    return List.of(
        lineup.of(UNCONTENDED, RaceSetup.of(LoadMode.OWN, 1, time, rounds), all),
        lineup.of(OWN, RaceSetup.of(LoadMode.OWN, StandardLoad.MANY, time, rounds), all),
        lineup.of(OWN_MORE, RaceSetup.of(LoadMode.OWN, StandardLoad.MORE, time, rounds), all),
        lineup.of(SHARED, RaceSetup.of(LoadMode.SHARED, StandardLoad.MANY, time, rounds), all),
        lineup.of(APART, StandardLoad.processes(Duration.ZERO, time, rounds), all),
        lineup.of(APART_WORK, StandardLoad.processes(StandardLoad.WORK, time, rounds), all),
        lineup.of(
            SESSIONS,
            RaceSetup.of(LoadMode.OWN, StandardLoad.MANY, time, rounds),
            ContenderSpec.holdfast(with(store, SESSION_MODE), Order.ANY),
            ContenderSpec.peer(Peers.RAW_ADVISORY, store)),
        lineup.of(HOLDING, held, ContenderSpec.holdfast(with(store, ONE_LANE), Order.ANY)));
  }

  private static String with(String uri, String parameter) {
    return uri + (uri.contains("?") ? "&" : "?") + parameter;
  }

  static List<Goal> goals() {
    String prefix = StoreKind.POSTGRES.prefix();
    String any = ContenderSpec.holdfast(prefix, Order.ANY).contender().name();
    String session =
        ContenderSpec.holdfast(with(prefix, SESSION_MODE), Order.ANY).contender().name();
    Measure spring = Measure.times(List.of(Peers.SPRING_JDBC));
    Measure best = Measure.times(Peers.DATABASE_LIBRARIES);
    Measure connections = Measure.ceiling(ExtraFigures.CONNECTIONS);
    return List.of(
        new Goal(OWN, any, spring, 2),
        new Goal(OWN_MORE, any, spring, 6),
        new Goal(OWN_MORE, any, Measure.times(List.of(Peers.RAW_ROW)), 2),
        new Goal(OWN_MORE, any, connections, 4),
        new Goal(SHARED, any, spring, 100),
        new Goal(APART, any, best, 10),
        new Goal(APART, any, Measure.evenness(), 0.5),
        new Goal(APART_WORK, any, best, 2),
        new Goal(APART_WORK, any, Measure.evenness(), 0.5),
        new Goal(SESSIONS, session, Measure.times(List.of(Peers.RAW_ADVISORY)), 0.6),
        new Goal(HOLDING, RaceFactory.heldName(any, HELD), connections, 2));
  }
}
