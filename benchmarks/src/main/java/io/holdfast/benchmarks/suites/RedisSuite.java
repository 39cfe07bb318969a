package io.holdfast.benchmarks.suites;

import io.holdfast.benchmarks.peers.ContenderSpec;
import io.holdfast.benchmarks.peers.Peers;
import io.holdfast.cli.bench.ExtraFigures;
import io.holdfast.cli.bench.LoadMode;
import io.holdfast.cli.bench.Race;
import io.holdfast.cli.bench.RaceSetup;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Holdfast over Redis, next to the libraries used there and to plain Redis. */
public final class RedisSuite {

  public static final Duration TIME = Duration.ofSeconds(1);
  public static final int ROUNDS = 5;

  static final int HELD = 100_000;

  /** Outlasts the usual lease; a shorter one would mean more renewals than a server can take. */
  private static final Duration HELD_TIME = Duration.ofMillis(30_500);

  private static final String UNCONTENDED = "Redis, uncontended, 1 thread";
  private static final String OWN = "Redis, own names, 16 threads";
  private static final String OWN_MORE = "Redis, own names, 64 threads";
  private static final String SHARED = "Redis, one name, 16 threads";
  private static final String APART = "Redis, one name, 3 processes x 4 threads";
  private static final String APART_WORK = APART + ", 200 us in the section";
  private static final String APART_FIFO = APART + ", FIFO";
  private static final String HOLDING = "Redis, 1 thread, 100,000 held locks";

  private final RaceFactory lineup;
  private final String store;

  /**
   * The races on one server.
   *
   * @param store its URI
   */
  RedisSuite(RaceFactory lineup, String store) {
    this.lineup = lineup;
    this.store = store;
  }

  /** The races, about ten minutes in all at the usual time and rounds. */
  List<Race> races(Duration time, int rounds) {
    ContenderSpec[] all = all();
    RaceSetup held = StandardLoad.held(HELD, HELD_TIME);
    return List.of(
        lineup.of(UNCONTENDED, RaceSetup.of(LoadMode.OWN, 1, time, rounds), all),
        lineup.of(OWN, RaceSetup.of(LoadMode.OWN, StandardLoad.MANY, time, rounds), all),
        lineup.of(OWN_MORE, RaceSetup.of(LoadMode.OWN, StandardLoad.MORE, time, rounds), all),
        lineup.of(SHARED, RaceSetup.of(LoadMode.SHARED, StandardLoad.MANY, time, rounds), all),
        lineup.of(APART, StandardLoad.processes(Duration.ZERO, time, rounds), all),
        lineup.of(APART_WORK, StandardLoad.processes(StandardLoad.WORK, time, rounds), all),
        lineup.of(
            APART_FIFO,
            StandardLoad.processes(Duration.ZERO, time, rounds).warmedUpWell(),
            ContenderSpec.holdfast(store, Order.FIFO),
            ContenderSpec.peer(Peers.REDISSON_FAIR, store)),
        lineup.of(HOLDING, held, ContenderSpec.holdfast(store, Order.ANY)));
  }

  private ContenderSpec[] all() {
    List<ContenderSpec> specs = new ArrayList<>();
    specs.add(ContenderSpec.holdfast(store, Order.ANY));
    Peers.REDIS_LIBRARIES.forEach(peer -> specs.add(ContenderSpec.peer(peer, store)));
    specs.add(ContenderSpec.peer(Peers.JEDIS_SET_NX, store));
    return specs.toArray(ContenderSpec[]::new);
  }

  static List<Goal> goals() {
    String any = ContenderSpec.holdfast("redis:", Order.ANY).contender().name();
    String fifo = ContenderSpec.holdfast("redis:", Order.FIFO).contender().name();
    String held = RaceFactory.heldName(any, HELD);
    Measure redisson = Measure.times(List.of(Peers.REDISSON));
    Measure best = Measure.times(Peers.REDIS_LIBRARIES);
    return List.of(
        new Goal(OWN, any, redisson, 5),
        new Goal(OWN, any, Measure.times(List.of(Peers.JEDIS_SET_NX)), 0.8),
        new Goal(SHARED, any, redisson, 100),
        new Goal(APART, any, best, 50),
        new Goal(APART, any, Measure.evenness(), 0.5),
        new Goal(APART_WORK, any, best, 2.5),
        new Goal(APART_WORK, any, Measure.evenness(), 0.5),
        new Goal(APART_FIFO, fifo, Measure.times(List.of(Peers.REDISSON_FAIR)), 5),
        new Goal(HOLDING, held, Measure.ceiling(ExtraFigures.CONNECTIONS), 3),
        new Goal(
            HOLDING, held, Measure.ceiling(ExtraFigures.THREADS, RaceFactory.heldName(any, 0)), 2));
  }
}
