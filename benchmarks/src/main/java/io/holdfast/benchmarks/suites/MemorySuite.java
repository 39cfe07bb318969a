package io.holdfast.benchmarks.suites;

import io.holdfast.benchmarks.peers.ContenderSpec;
import io.holdfast.benchmarks.peers.Peers;
import io.holdfast.cli.bench.LoadMode;
import io.holdfast.cli.bench.Race;
import io.holdfast.cli.bench.RaceSetup;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.List;

/** The default suite: the in-process engine next to the JDK's own lock. */
public final class MemorySuite {

  public static final Duration TIME = Duration.ofMillis(500);
  public static final int ROUNDS = 5;

  private static final String UNCONTENDED = "uncontended, 1 thread";
  private static final String OWN = "own names, 16 threads";
  private static final String ANY = "one name, 16 threads, any order";
  private static final String FIFO = "one name, 16 threads, FIFO";
  private static final int MANY = 16;

  private MemorySuite() {}

  /** The races, about a minute in all at the usual time and rounds. */
  public static List<Race> races(RaceFactory lineup, Duration time, int rounds) {
    ContenderSpec any = RaceFactory.memory(Order.ANY);
    ContenderSpec fifo = RaceFactory.memory(Order.FIFO);
    ContenderSpec plain = ContenderSpec.peer(Peers.REENTRANT);
    ContenderSpec fair = ContenderSpec.peer(Peers.REENTRANT_FAIR);
    RaceSetup shared = RaceSetup.of(LoadMode.SHARED, MANY, time, rounds);
    return List.of(
        lineup.of(UNCONTENDED, RaceSetup.of(LoadMode.OWN, 1, time, rounds), any, fifo, plain, fair),
        lineup.of(OWN, RaceSetup.of(LoadMode.OWN, MANY, time, rounds), any, fifo, plain),
        lineup.of(ANY, shared, any, plain),
        lineup.of(FIFO, shared, fifo, fair));
  }

  public static List<Goal> goals() {
    String any = RaceFactory.memory(Order.ANY).contender().name();
    String fifo = RaceFactory.memory(Order.FIFO).contender().name();
    return List.of(
        new Goal(UNCONTENDED, any, 1_000_000),
        new Goal(ANY, any, 1_000_000),
        new Goal(FIFO, fifo, 50_000));
  }
}
