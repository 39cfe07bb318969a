package io.holdfast.cli.bench;

import java.time.Duration;
import java.util.Locale;

/**
 * How a race is run.
 *
 * @param threads of each process
 * @param processes 1 unless the mode is of several
 * @param held how many locks stay held, 0 unless the mode is {@link LoadMode#HELD}
 * @param section how long a thread works while it holds the lock
 * @param time of one round
 * @param rounds in addition to the warm-up
 * @param longWarmUp whether the round to warm up is as long as it takes until figures rise no more
 *     in processes that do little
 */
public record RaceSetup(
    LoadMode mode,
    int threads,
    int processes,
    int held,
    Duration section,
    Duration time,
    int rounds,
    boolean longWarmUp) {

  public static final Duration USUAL_TIME = Duration.ofSeconds(2);
  public static final int USUAL_ROUNDS = 5;

  private static final int WARM_UP_ROUNDS = 5;
  private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(5);

  /**
   * Three processes that take turns are still compiled after half a minute on two cores: in order
   * FIFO over ZooKeeper, rounds of 4 s rose from 411 to 1,300 a second until then.
   */
  private static final int PATIENCE = 9;

  public RaceSetup(
      LoadMode mode,
      int threads,
      int processes,
      int held,
      Duration section,
      Duration time,
      int rounds) {
    this(mode, threads, processes, held, section, time, rounds, false);
  }

  /** For races within this process, without work in the section. */
  public static RaceSetup of(LoadMode mode, int threads, Duration time, int rounds) {
    return new RaceSetup(mode, threads, 1, 0, Duration.ZERO, time, rounds);
  }

  /** The same, after a long round to warm up. */
  public RaceSetup warmedUpWell() {
    return new RaceSetup(mode, threads, processes, held, section, time, rounds, true);
  }

  /**
   * How long the round to warm up is: code that the compiler has not seen enough of yet is several
   * times slower, above all in processes that do little in a round.
   */
  Duration warmUp() {
    if (mode == LoadMode.HELD || mode == LoadMode.COLD) {
      return time;
    }
    Duration several = time.multipliedBy(WARM_UP_ROUNDS);
    Duration enough = several.compareTo(LONGEST_WARM_UP) < 0 ? several : LONGEST_WARM_UP;
    Duration all = longWarmUp ? enough.multipliedBy(PATIENCE) : enough;
    return all.compareTo(time) < 0 ? time : all;
  }

  /** In words, for headings. */
  public String title() {
    String who =
        switch (mode) {
          case OWN -> threads == 1 ? "uncontended, 1 thread" : "own names, " + threads + " threads";
          case MIXED -> "own names, every tenth wanted by two, " + threads + " threads";
          case SHARED -> "one name, " + threads + " threads";
          case PROCESSES -> "one name, " + crowd();
          case PROCESSES_OWN -> "own names, " + crowd();
          case COLD -> "from open to the first lock, cold process";
          case HELD -> String.format(Locale.ROOT, "1 thread, %,d held locks", held);
        };
    return section.isZero() ? who : who + ", " + Units.nanos(section.toNanos()) + " in the section";
  }

  private String crowd() {
    String each = threads == 1 ? "1 thread" : threads + " threads";
    return processes + " processes x " + each;
  }

  /** How it was measured, for the line below the heading. */
  String method() {
    return "%d alternating rounds of %s after one of %s to warm up"
        .formatted(rounds, Units.nanos(time.toNanos()), Units.nanos(warmUp().toNanos()));
  }
}
