package io.holdfast.benchmarks.suites;

import io.holdfast.benchmarks.peers.ContenderSpec;
import io.holdfast.benchmarks.peers.Peers;
import io.holdfast.cli.bench.ExtraFigures;
import io.holdfast.cli.bench.LoadMode;
import io.holdfast.cli.bench.Race;
import io.holdfast.cli.bench.RaceSetup;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.List;

/** Holdfast over etcd, next to etcd's own lock and to plain transactions. */
final class EtcdSuite {

  static final Duration TIME = StandardLoad.TIME;
  static final int ROUNDS = StandardLoad.ROUNDS;

  static final int HELD = 10_000;

  /** Outlasts the usual lease. */
  private static final Duration HELD_TIME = Duration.ofMillis(30_500);

  private static final String UNCONTENDED = "etcd, uncontended, 1 thread";
  private static final String OWN_MORE = "etcd, own names, 64 threads";
  private static final String SHARED = "etcd, one name, 16 threads";
  private static final String APART = "etcd, one name, 3 processes x 4 threads";
  private static final String APART_WORK = APART + ", 200 us in the section";
  private static final String APART_FIFO = APART + ", FIFO";
  private static final String HOLDING = "etcd, 1 thread, 10,000 held locks";

  private final RaceFactory lineup;
  private final String store;

  /**
   * The races on one server.
   *
   * @param store its URI
   */
  EtcdSuite(RaceFactory lineup, String store) {
    this.lineup = lineup;
    this.store = store;
  }

  /** The races, about seven minutes in all at the usual time and rounds. */
  List<Race> races(Duration time, int rounds) {
    ContenderSpec any = ContenderSpec.holdfast(store, Order.ANY);
    ContenderSpec fifo = ContenderSpec.holdfast(store, Order.FIFO);
    ContenderSpec jetcd = ContenderSpec.peer(Peers.JETCD_LOCK, store);
    ContenderSpec raw = ContenderSpec.peer(Peers.ETCD_TXN, store);
    RaceSetup held = StandardLoad.held(HELD, HELD_TIME);
    return List.of(
        lineup.of(UNCONTENDED, RaceSetup.of(LoadMode.OWN, 1, time, rounds), any, jetcd, raw),
        lineup.of(
            OWN_MORE, RaceSetup.of(LoadMode.OWN, StandardLoad.MORE, time, rounds), any, jetcd, raw),
        lineup.of(
            SHARED,
            RaceSetup.of(LoadMode.SHARED, StandardLoad.MANY, time, rounds),
            any,
            jetcd,
            raw),
        lineup.of(APART, StandardLoad.processes(Duration.ZERO, time, rounds), any, jetcd, raw),
        lineup.of(
            APART_WORK, StandardLoad.processes(StandardLoad.WORK, time, rounds), any, jetcd, raw),
        lineup.of(
            APART_FIFO,
            StandardLoad.processes(Duration.ZERO, time, rounds).warmedUpWell(),
            fifo,
            jetcd),
        lineup.of(HOLDING, held, any));
  }

  static List<Goal> goals() {
    String any = ContenderSpec.holdfast("etcd:", Order.ANY).contender().name();
    String fifo = ContenderSpec.holdfast("etcd:", Order.FIFO).contender().name();
    String held = RaceFactory.heldName(any, HELD);
    Measure jetcd = Measure.times(List.of(Peers.JETCD_LOCK));
    return List.of(
        new Goal(OWN_MORE, any, jetcd, 2.5),
        new Goal(SHARED, any, jetcd, 200),
        new Goal(APART, any, jetcd, 50),
        new Goal(APART, any, Measure.evenness(), 0.5),
        new Goal(APART_WORK, any, jetcd, 3),
        new Goal(APART_WORK, any, Measure.evenness(), 0.5),
        new Goal(APART_FIFO, fifo, jetcd, 1),
        new Goal(
            HOLDING, held, Measure.ceiling(ExtraFigures.THREADS, RaceFactory.heldName(any, 0)), 2));
  }
}
