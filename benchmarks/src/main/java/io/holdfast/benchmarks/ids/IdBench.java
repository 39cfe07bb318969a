package io.holdfast.benchmarks.ids;

import io.holdfast.ids.IdLayout;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** The suite {@code ids}: how fast generators are, and whether a slow store makes callers wait. */
public final class IdBench {

  private static final double LONGEST_AT_9999 = 1_000_000;

  /** Under the limit by less than what a tick more or less makes of a round. */
  private static final double AT_THE_LIMIT = 0.97;

  private final PrintStream out;
  private final int rounds;
  private final long nanos;
  private boolean passed = true;

  private IdBench(PrintStream out, int rounds, Duration time) {
    this.out = out;
    this.rounds = rounds;
    this.nanos = time.toNanos();
  }

  /**
   * Runs all of it and prints figures and bars.
   *
   * @param rounds that count, after one to warm up; entries take turns
   * @param time of a round
   * @return whether all bars were reached
   */
  public static boolean run(PrintStream out, int rounds, Duration time) throws Exception {
    IdBench bench = new IdBench(out, rounds, time);
    try (IdLineup lineup = new IdLineup()) {
      for (int threads : new int[] {1, 8}) {
        List<IdRaceEntry> counting = bench.race("counting", lineup.counting(), threads);
        bench.ratio(counting.get(2), counting.get(1));
        List<IdRaceEntry> timed = bench.race("time-ordered", lineup.timed(), threads);
        if (threads == 1) {
          double limit = IdLayout.STANDARD.idsASecond();
          bench.bar(
              "holdfast timeline, of its layout's limit",
              timed.get(2).median() / limit,
              AT_THE_LIMIT);
        }
        List<IdRaceEntry> uuids = bench.race("UUIDs", lineup.uuids(), threads);
        bench.ratio(uuids.get(2), uuids.get(1));
      }
    }
    bench.slowStore();
    return bench.passed;
  }

  private List<IdRaceEntry> race(String heading, List<IdRaceEntry> entries, int threads)
      throws Exception {
    for (int round = -1; round < rounds; round++) {
      for (IdRaceEntry entry : entries) {
        double speed = entry.run(threads, round < 0 ? 2 * nanos : nanos);
        if (round >= 0) {
          entry.speeds().add(speed);
        }
      }
    }
    say("");
    say("%s, %d %s", heading, threads, threads == 1 ? "thread" : "threads");
    for (IdRaceEntry entry : entries) {
      say("  %-28s %,14.0f ids/s  %8.1f ns", entry.name(), entry.median(), 1e9 / entry.median());
    }
    return entries;
  }

  private void ratio(IdRaceEntry ours, IdRaceEntry theirs) {
    bar(ours.name() + " as fast as " + theirs.name(), ours.times(theirs), 1);
  }

  private void bar(String what, double reached, double least) {
    boolean good = reached >= least;
    passed &= good;
    say("  %s  %s: %.2f, bar %.2f", good ? "PASS" : "FAIL", what, reached, least);
  }

  private void slowStore() {
    say("");
    say("waits for an id, a store that takes 50 ms, a million ids a second");
    Duration time = Duration.ofNanos(Math.max(1, rounds) * nanos * 2);
    List<String> names = List.of("CosId segment chain", "holdfast segment");
    List<Histogram> all = new ArrayList<>(List.of(SlowStore.cosId(time), SlowStore.holdfast(time)));
    for (int i = 0; i < all.size(); i++) {
      Histogram waits = all.get(i);
      say(
          "  %-28s p50 %,d ns  p99.99 %,d ns  longest %,d ns",
          names.get(i),
          waits.getValueAtPercentile(50),
          waits.getValueAtPercentile(99.99),
          waits.getMaxValue());
    }
    long reached = all.get(1).getValueAtPercentile(99.99);
    bar("no stall: 1 ms by p99.99 of holdfast segment", LONGEST_AT_9999 / Math.max(1, reached), 1);
  }

  private void say(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }
}
