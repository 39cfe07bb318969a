package io.holdfast.benchmarks;

import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.List;

/** Holdfast over etcd beside the lock that etcd has itself, and beside etcd's transactions. */
final class EtcdPreset {

  static final Duration TIME = Duration.ofSeconds(1);
  static final int ROUNDS = 5;

  static final int HELD = 10_000;

  /** Outlasts the usual lease. */
  private static final Duration HELD_TIME = Duration.ofMillis(30_500);

  private static final int HELD_ROUNDS = 1;

  private static final int MANY = 16;
  private static final int MORE = 64;
  private static final int PROCESSES = 3;
  private static final int THREADS = 4;
  private static final Duration WORK = Duration.ofNanos(200_000);

  private static final String UNCONTENDED = "etcd, uncontended, 1 thread";
  private static final String OWN_MORE = "etcd, own names, 64 threads";
  private static final String SHARED = "etcd, one name, 16 threads";
  private static final String APART = "etcd, one name, 3 processes x 4 threads";
  private static final String APART_WORK = APART + ", 200 us in the section";
  private static final String APART_FIFO = APART + ", FIFO";
  private static final String HOLDING = "etcd, 1 thread beside 10,000 held locks";

  private final Lineup lineup;
  private final String store;

  /**
   * The races on one server.
   *
   * @param store its URI
   */
  EtcdPreset(Lineup lineup, String store) {
    this.lineup = lineup;
    this.store = store;
  }

  /** The races, about seven minutes in all at the usual time and rounds. */
  List<Race> races(Duration time, int rounds) {
    Entrant any = Entrant.holdfast(store, Order.ANY);
    Entrant fifo = Entrant.holdfast(store, Order.FIFO);
    Entrant jetcd = Entrant.peer(EtcdPeers.JETCD, store);
    Entrant raw = Entrant.peer(EtcdPeers.RAW, store);
    Setup held = new Setup(Mode.HELD, MANY, 1, HELD, Duration.ZERO, HELD_TIME, HELD_ROUNDS);
    return List.of(
        lineup.of(UNCONTENDED, Setup.of(Mode.OWN, 1, time, rounds), any, jetcd, raw),
        lineup.of(OWN_MORE, Setup.of(Mode.OWN, MORE, time, rounds), any, jetcd, raw),
        lineup.of(SHARED, Setup.of(Mode.SHARED, MANY, time, rounds), any, jetcd, raw),
        lineup.of(APART, apart(Duration.ZERO, time, rounds), any, jetcd, raw),
        lineup.of(APART_WORK, apart(WORK, time, rounds), any, jetcd, raw),
        lineup.of(APART_FIFO, apart(Duration.ZERO, time, rounds).warmedUpWell(), fifo, jetcd),
        lineup.of(HOLDING, held, any));
  }

  private static Setup apart(Duration section, Duration time, int rounds) {
    return new Setup(Mode.PROCESSES, THREADS, PROCESSES, 0, section, time, rounds);
  }

  static List<Goal> goals() {
    String any = Entrant.holdfast("etcd:", Order.ANY).contender().name();
    String fifo = Entrant.holdfast("etcd:", Order.FIFO).contender().name();
    String held = Lineup.heldName(any, HELD);
    Measure jetcd = Measure.times(List.of(EtcdPeers.JETCD));
    return List.of(
        new Goal(OWN_MORE, any, jetcd, 2.5),
        new Goal(SHARED, any, jetcd, 200),
        new Goal(APART, any, jetcd, 50),
        new Goal(APART, any, Measure.evenness(), 0.5),
        new Goal(APART_WORK, any, jetcd, 3),
        new Goal(APART_WORK, any, Measure.evenness(), 0.5),
        new Goal(APART_FIFO, fifo, jetcd, 1),
        new Goal(HOLDING, held, Measure.ceiling(HeldRunner.THREADS, Lineup.heldName(any, 0)), 2));
  }
}
