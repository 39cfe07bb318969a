package io.holdfast.benchmarks;

import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.List;

/** Holdfast over ZooKeeper beside Curator's recipes, and beside ZooKeeper by itself. */
final class ZooKeeperPreset {

  static final Duration TIME = Duration.ofSeconds(1);
  static final int ROUNDS = 5;

  private static final int MANY = 16;
  private static final int MORE = 64;
  private static final int PROCESSES = 3;
  private static final int THREADS = 4;
  private static final Duration WORK = Duration.ofNanos(200_000);

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

  /** A line has to form anew in each round, and a turn of it takes a millisecond. */
  private static final int LONG = 3;

  private ZooKeeperPreset() {}

  /** The races, about six minutes in all at the usual time and rounds. */
  static List<Race> races(Lineup lineup, String store, Duration time, int rounds) {
    Entrant[] all = {
      Entrant.holdfast(store, Order.ANY),
      Entrant.peer(ZooKeeperPeers.CURATOR, store),
      Entrant.peer(ZooKeeperPeers.CURATOR_SEMAPHORE, store),
      Entrant.peer(ZooKeeperPeers.RAW, store)
    };
    Entrant[] ordered = {
      Entrant.holdfast(store, Order.FIFO), Entrant.peer(ZooKeeperPeers.CURATOR, store)
    };
    // In order FIFO two threads of one client meet in the store, in order ANY within the client.
    Entrant[] both = {
      Entrant.holdfast(store, Order.ANY),
      Entrant.holdfast(store, Order.FIFO),
      Entrant.peer(ZooKeeperPeers.CURATOR, store)
    };
    return List.of(
        lineup.of(UNCONTENDED, Setup.of(Mode.OWN, 1, time, rounds), all),
        lineup.of(OWN, Setup.of(Mode.OWN, MANY, time, rounds), all),
        lineup.of(OWN_MORE, Setup.of(Mode.OWN, MORE, time, rounds), all),
        lineup.of(MIXED, Setup.of(Mode.MIXED, MANY, time, rounds), both),
        lineup.of(MIXED_MORE, Setup.of(Mode.MIXED, MORE, time, rounds), both),
        lineup.of(SHARED, Setup.of(Mode.SHARED, MANY, time, rounds), all),
        lineup.of(APART, apart(Duration.ZERO, time, rounds), all),
        lineup.of(APART_WORK, apart(WORK, time, rounds), all),
        lineup.of(
            APART_FIFO,
            apart(Duration.ZERO, time.multipliedBy(LONG), rounds).warmedUpWell(),
            ordered));
  }

  private static Setup apart(Duration section, Duration time, int rounds) {
    return new Setup(Mode.PROCESSES, THREADS, PROCESSES, 0, section, time, rounds);
  }

  static List<Goal> goals() {
    String any = Entrant.holdfast("zookeeper:", Order.ANY).contender().name();
    String fifo = Entrant.holdfast("zookeeper:", Order.FIFO).contender().name();
    Measure curator = Measure.times(List.of(ZooKeeperPeers.CURATOR));
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
