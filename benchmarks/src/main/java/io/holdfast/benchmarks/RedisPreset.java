package io.holdfast.benchmarks;

import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Holdfast over Redis beside the libraries that people use there, and beside Redis by itself. */
final class RedisPreset {

  static final Duration TIME = Duration.ofSeconds(1);
  static final int ROUNDS = 5;

  static final int HELD = 100_000;

  /** Outlasts the usual lease; a shorter one would mean more renewals than a server can take. */
  private static final Duration HELD_TIME = Duration.ofMillis(30_500);

  private static final int HELD_ROUNDS = 1;

  private static final int MANY = 16;
  private static final int MORE = 64;
  private static final int PROCESSES = 3;
  private static final int THREADS = 4;
  private static final Duration WORK = Duration.ofNanos(200_000);

  private static final String UNCONTENDED = "Redis, uncontended, 1 thread";
  private static final String OWN = "Redis, own names, 16 threads";
  private static final String OWN_MORE = "Redis, own names, 64 threads";
  private static final String SHARED = "Redis, one name, 16 threads";
  private static final String APART = "Redis, one name, 3 processes x 4 threads";
  private static final String APART_WORK = APART + ", 200 us in the section";
  private static final String APART_FIFO = APART + ", FIFO";
  private static final String HOLDING = "Redis, 1 thread beside 100,000 held locks";

  private final Lineup lineup;
  private final String store;

  /**
   * The races on one server.
   *
   * @param store its URI
   */
  RedisPreset(Lineup lineup, String store) {
    this.lineup = lineup;
    this.store = store;
  }

  /** The races, about ten minutes in all at the usual time and rounds. */
  List<Race> races(Duration time, int rounds) {
    Entrant[] all = all();
    Setup held = new Setup(Mode.HELD, MANY, 1, HELD, Duration.ZERO, HELD_TIME, HELD_ROUNDS);
    return List.of(
        lineup.of(UNCONTENDED, Setup.of(Mode.OWN, 1, time, rounds), all),
        lineup.of(OWN, Setup.of(Mode.OWN, MANY, time, rounds), all),
        lineup.of(OWN_MORE, Setup.of(Mode.OWN, MORE, time, rounds), all),
        lineup.of(SHARED, Setup.of(Mode.SHARED, MANY, time, rounds), all),
        lineup.of(APART, apart(Duration.ZERO, time, rounds), all),
        lineup.of(APART_WORK, apart(WORK, time, rounds), all),
        lineup.of(
            APART_FIFO,
            apart(Duration.ZERO, time, rounds).warmedUpWell(),
            Entrant.holdfast(store, Order.FIFO),
            Entrant.peer(RedisPeers.REDISSON_FAIR, store)),
        lineup.of(HOLDING, held, Entrant.holdfast(store, Order.ANY)));
  }

  private Entrant[] all() {
    List<Entrant> entrants = new ArrayList<>();
    entrants.add(Entrant.holdfast(store, Order.ANY));
    RedisPeers.LIBRARIES.forEach(peer -> entrants.add(Entrant.peer(peer, store)));
    entrants.add(Entrant.peer(RedisPeers.JEDIS, store));
    return entrants.toArray(Entrant[]::new);
  }

  private static Setup apart(Duration section, Duration time, int rounds) {
    return new Setup(Mode.PROCESSES, THREADS, PROCESSES, 0, section, time, rounds);
  }

  static List<Goal> goals() {
    String any = Entrant.holdfast("redis:", Order.ANY).contender().name();
    String fifo = Entrant.holdfast("redis:", Order.FIFO).contender().name();
    String held = Lineup.heldName(any, HELD);
    Measure redisson = Measure.times(List.of(RedisPeers.REDISSON));
    Measure best = Measure.times(RedisPeers.LIBRARIES);
    return List.of(
        new Goal(OWN, any, redisson, 5),
        new Goal(OWN, any, Measure.times(List.of(RedisPeers.JEDIS)), 0.8),
        new Goal(SHARED, any, redisson, 100),
        new Goal(APART, any, best, 50),
        new Goal(APART, any, Measure.evenness(), 0.5),
        new Goal(APART_WORK, any, best, 2.5),
        new Goal(APART_WORK, any, Measure.evenness(), 0.5),
        new Goal(APART_FIFO, fifo, Measure.times(List.of(RedisPeers.REDISSON_FAIR)), 5),
        new Goal(HOLDING, held, Measure.ceiling(HeldRunner.CONNECTIONS), 3),
        new Goal(HOLDING, held, Measure.ceiling(HeldRunner.THREADS, Lineup.heldName(any, 0)), 2));
  }
}
