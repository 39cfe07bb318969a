package io.holdfast.benchmarks.suites;

import io.holdfast.benchmarks.peers.ContenderSpec;
import io.holdfast.benchmarks.peers.Peers;
import io.holdfast.cli.bench.LoadMode;
import io.holdfast.cli.bench.Race;
import io.holdfast.cli.bench.RaceSetup;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.List;

/** Holdfast over ZooKeeper, next to Curator's recipes and to plain ZooKeeper. */
final class ZooKeeperSuite {

  static final Duration TIME = StandardLoad.TIME;
  static final int ROUNDS = StandardLoad.ROUNDS;

  private static final String UNCONTENDED = "ZooKeeper, uncontended, 1 thread";
  private static final String OWN = "ZooKeeper, own names, 16 threads";
  private static final String OWN_MORE = "ZooKeeper, own names, 64 threads";
  private static final String MIXED = "ZooKeeper, own names, every tenth wanted by two, 16 threads";
  private static final String MIXED_MORE =
      "ZooKeeper, own names, every tenth wanted by two, 64 threads";
  private static final String SHARED = "ZooKeeper, one name, 16 threads";
  private static final String APART = "ZooKeeper, one name, 3 processes x 4 threads";
  private static final String APART_WORK = APART + ", 200 us in the section";
  private static final String APART_FIFO = APART + ", FIFO";

  /** A new line has to form in each round, and a turn of it takes a millisecond. */
  private static final int LONG = 3;

  private ZooKeeperSuite() {}

  /** The races, about six minutes in all at the usual time and rounds. */
  static List<Race> races(RaceFactory lineup, String store, Duration time, int rounds) {
    ContenderSpec[] all = {
      ContenderSpec.holdfast(store, Order.ANY),
      ContenderSpec.peer(Peers.CURATOR_MUTEX, store),
      ContenderSpec.peer(Peers.CURATOR_SEMAPHORE, store),
      ContenderSpec.peer(Peers.ZOOKEEPER_RAW, store)
    };
    ContenderSpec[] ordered = {
      ContenderSpec.holdfast(store, Order.FIFO), ContenderSpec.peer(Peers.CURATOR_MUTEX, store)
    };
    // In order FIFO two threads of one client meet in the store, in order ANY within the client.
    ContenderSpec[] both = {
      ContenderSpec.holdfast(store, Order.ANY),
      ContenderSpec.holdfast(store, Order.FIFO),
      ContenderSpec.peer(Peers.CURATOR_MUTEX, store)
    };
    return List.of(
        lineup.of(UNCONTENDED, RaceSetup.of(LoadMode.OWN, 1, time, rounds), all),
        lineup.of(OWN, RaceSetup.of(LoadMode.OWN, StandardLoad.MANY, time, rounds), all),
        lineup.of(OWN_MORE, RaceSetup.of(LoadMode.OWN, StandardLoad.MORE, time, rounds), all),
        lineup.of(MIXED, RaceSetup.of(LoadMode.MIXED, StandardLoad.MANY, time, rounds), both),
        lineup.of(MIXED_MORE, RaceSetup.of(LoadMode.MIXED, StandardLoad.MORE, time, rounds), both),
        lineup.of(SHARED, RaceSetup.of(LoadMode.SHARED, StandardLoad.MANY, time, rounds), all),
        lineup.of(APART, StandardLoad.processes(Duration.ZERO, time, rounds), all),
        lineup.of(APART_WORK, StandardLoad.processes(StandardLoad.WORK, time, rounds), all),
        lineup.of(
            APART_FIFO,
            StandardLoad.processes(Duration.ZERO, time.multipliedBy(LONG), rounds).warmedUpWell(),
            ordered));
  }

  static List<Goal> goals() {
    String any = ContenderSpec.holdfast("zookeeper:", Order.ANY).contender().name();
    String fifo = ContenderSpec.holdfast("zookeeper:", Order.FIFO).contender().name();
    Measure curator = Measure.times(List.of(Peers.CURATOR_MUTEX));
    return List.of(
        new Goal(OWN, any, curator, 1.2),
        new Goal(OWN_MORE, any, curator, 1.8),
        new Goal(MIXED, any, curator, 1.2),
        new Goal(MIXED_MORE, any, curator, 1.8),
        new Goal(SHARED, any, curator, 200),
        new Goal(APART, any, curator, 50),
        new Goal(APART, any, Measure.evenness(), 0.5),
        new Goal(APART_WORK, any, curator, 3),
        new Goal(APART_WORK, any, Measure.evenness(), 0.5),
        new Goal(APART_FIFO, fifo, curator, 1));
  }
}
