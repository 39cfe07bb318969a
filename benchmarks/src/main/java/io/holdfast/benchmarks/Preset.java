package io.holdfast.benchmarks;

import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.List;

/** What is run when nothing is asked for: the in-process engine beside the JDK's own lock. */
final class Preset {

  static final Duration TIME = Duration.ofMillis(500);
  static final int ROUNDS = 5;

  private static final String UNCONTENDED = "uncontended, 1 thread";
  private static final String OWN = "own names, 16 threads";
  private static final String ANY = "one name, 16 threads, any order";
  private static final String FIFO = "one name, 16 threads, FIFO";
  private static final int MANY = 16;

  private Preset() {}

  /** The races, about a minute in all at the usual time and rounds. */
  static List<Race> races(Lineup lineup, Duration time, int rounds) {
    Entrant any = Lineup.memory(Order.ANY);
    Entrant fifo = Lineup.memory(Order.FIFO);
    Entrant plain = Entrant.peer(Peers.REENTRANT);
    Entrant fair = Entrant.peer(Peers.REENTRANT_FAIR);
    Setup shared = Setup.of(Mode.SHARED, MANY, time, rounds);
    return List.of(
        lineup.of(UNCONTENDED, Setup.of(Mode.OWN, 1, time, rounds), any, fifo, plain, fair),
        lineup.of(OWN, Setup.of(Mode.OWN, MANY, time, rounds), any, fifo, plain),
        lineup.of(ANY, shared, any, plain),
        lineup.of(FIFO, shared, fifo, fair));
  }

  static List<Goal> goals() {
    String any = Lineup.memory(Order.ANY).contender().name();
    String fifo = Lineup.memory(Order.FIFO).contender().name();
    return List.of(
        new Goal(UNCONTENDED, any, 1_000_000),
        new Goal(ANY, any, 1_000_000),
        new Goal(FIFO, fifo, 50_000));
  }
}
