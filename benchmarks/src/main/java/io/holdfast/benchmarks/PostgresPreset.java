package io.holdfast.benchmarks;

import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.List;

/** Holdfast over PostgreSQL beside the libraries that people use there, and beside plain SQL. */
final class PostgresPreset {

  static final Duration TIME = Duration.ofSeconds(1);
  static final int ROUNDS = 5;

  static final int HELD = 5_000;

  /** The lease is half a second shorter. */
  private static final Duration HELD_TIME = Duration.ofMillis(10_500);

  private static final int HELD_ROUNDS = 1;

  /** Locks that belong to a connection instead of a row. */
  private static final String SESSION_MODE = "holdfast.mode=session";

  /** One for what callers ask, beside the one that every client keeps for its holds. */
  private static final String ONE_LANE = "holdfast.lanes=1";

  private static final int MANY = 16;
  private static final int MORE = 64;
  private static final int PROCESSES = 3;
  private static final int THREADS = 4;
  private static final Duration WORK = Duration.ofNanos(200_000);

  private static final String UNCONTENDED = "PostgreSQL, uncontended, 1 thread";
  private static final String OWN = "PostgreSQL, own names, 16 threads";
  private static final String OWN_MORE = "PostgreSQL, own names, 64 threads";
  private static final String SHARED = "PostgreSQL, one name, 16 threads";
  private static final String APART = "PostgreSQL, one name, 3 processes x 4 threads";
  private static final String APART_WORK = APART + ", 200 us in the section";
  private static final String SESSIONS = "PostgreSQL sessions, own names, 16 threads";
  private static final String HOLDING = "PostgreSQL, 1 thread beside 5,000 held locks";

  private final Lineup lineup;
  private final String store;

  /**
   * The races on one server.
   *
   * @param store its URI
   */
  PostgresPreset(Lineup lineup, String store) {
    this.lineup = lineup;
    this.store = store;
  }

  /** The races, less than six minutes in all at the usual time and rounds. */
  List<Race> races(Duration time, int rounds) {
    Entrant[] all = DatabasePeers.beside(store);
    Setup held = new Setup(Mode.HELD, MANY, 1, HELD, Duration.ZERO, HELD_TIME, HELD_ROUNDS);
    return List.of(
        lineup.of(UNCONTENDED, Setup.of(Mode.OWN, 1, time, rounds), all),
        lineup.of(OWN, Setup.of(Mode.OWN, MANY, time, rounds), all),
        lineup.of(OWN_MORE, Setup.of(Mode.OWN, MORE, time, rounds), all),
        lineup.of(SHARED, Setup.of(Mode.SHARED, MANY, time, rounds), all),
        lineup.of(APART, apart(Duration.ZERO, time, rounds), all),
        lineup.of(APART_WORK, apart(WORK, time, rounds), all),
        lineup.of(
            SESSIONS,
            Setup.of(Mode.OWN, MANY, time, rounds),
            Entrant.holdfast(with(store, SESSION_MODE), Order.ANY),
            Entrant.peer(DatabasePeers.RAW_ADVISORY, store)),
        lineup.of(HOLDING, held, Entrant.holdfast(with(store, ONE_LANE), Order.ANY)));
  }

  private static String with(String uri, String parameter) {
    return uri + (uri.contains("?") ? "&" : "?") + parameter;
  }

  private static Setup apart(Duration section, Duration time, int rounds) {
    return new Setup(Mode.PROCESSES, THREADS, PROCESSES, 0, section, time, rounds);
  }

  static List<Goal> goals() {
    String prefix = StoreKind.POSTGRES.prefix();
    String any = Entrant.holdfast(prefix, Order.ANY).contender().name();
    String session = Entrant.holdfast(with(prefix, SESSION_MODE), Order.ANY).contender().name();
    Measure spring = Measure.times(List.of(DatabasePeers.SPRING));
    Measure best = Measure.times(DatabasePeers.LIBRARIES);
    Measure connections = Measure.ceiling(HeldRunner.CONNECTIONS);
    return List.of(
        new Goal(OWN, any, spring, 2),
        new Goal(OWN_MORE, any, spring, 6),
        new Goal(OWN_MORE, any, Measure.times(List.of(DatabasePeers.RAW_ROW)), 2),
        new Goal(OWN_MORE, any, connections, 4),
        new Goal(SHARED, any, spring, 100),
        new Goal(APART, any, best, 10),
        new Goal(APART, any, Measure.evenness(), 0.5),
        new Goal(APART_WORK, any, best, 2),
        new Goal(APART_WORK, any, Measure.evenness(), 0.5),
        new Goal(SESSIONS, session, Measure.times(List.of(DatabasePeers.RAW_ADVISORY)), 0.6),
        new Goal(HOLDING, Lineup.heldName(any, HELD), connections, 2));
  }
}
