package io.holdfast.benchmarks.suites;

import io.holdfast.cli.bench.Figures;
import io.holdfast.cli.bench.RaceResult;
import io.holdfast.cli.bench.Units;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** A number of an entry that a bar can be set for. */
public interface Measure {

  /** What it came to; not a number if unknown. */
  double of(RaceResult row, Figures entry);

  /** A value in words. */
  String text(double value);

  /** Whether less is better. */
  default boolean isCeiling() {
    return false;
  }

  /** Locks acquired and released per second. */
  static Measure speed() {
    return new Speed();
  }

  /** How many times as fast as the fastest of these: the median of the rounds' own ratios. */
  static Measure times(Collection<String> peers) {
    return new Times(List.copyOf(peers));
  }

  /** The smallest share as a part of the largest. */
  static Measure evenness() {
    return new Evenness();
  }

  /** At most so much of one of the extras. */
  static Measure ceiling(String extra) {
    return new Ceiling(extra, "");
  }

  /** At most so much more of one of the extras than this entry of the same row has. */
  static Measure ceiling(String extra, String above) {
    return new Ceiling(extra, above);
  }

  /** See {@link #speed}. */
  record Speed() implements Measure {

    @Override
    public double of(RaceResult row, Figures entry) {
      return entry.opsPerSecond();
    }

    @Override
    public String text(double value) {
      return Units.count(value) + "/s";
    }
  }

  /** See {@link #times}. */
  record Times(List<String> peers) implements Measure {

    @Override
    public double of(RaceResult row, Figures entry) {
      List<Figures> rivals =
          row.figures().stream().filter(figures -> peers.contains(figures.name())).toList();
      // All that were named must have run: the missing one might be the fastest.
      if (rivals.size() < peers.size()) {
        return Double.NaN;
      }
      List<Double> ratios =
          IntStream.range(0, entry.rounds().size())
              .mapToObj(round -> entry.rounds().get(round) / best(rivals, round))
              .toList();
      double ratio = Figures.median(ratios);
      return Double.isFinite(ratio) ? ratio : Double.NaN;
    }

    private static double best(List<Figures> rivals, int round) {
      DoubleStream speeds = rivals.stream().mapToDouble(rival -> rival.rounds().get(round));
      return speeds.max().orElse(0);
    }

    @Override
    public String text(double value) {
      String whom = peers.size() == 1 ? peers.get(0) : "the best peer";
      return Units.ratio(value) + " " + whom;
    }
  }

  /** See {@link #evenness}. */
  record Evenness() implements Measure {

    @Override
    public double of(RaceResult row, Figures entry) {
      return entry.fairness().leastToMost();
    }

    @Override
    public String text(double value) {
      return String.format(Locale.ROOT, "least/most %.2f", value);
    }
  }

  /** See {@link #ceiling}. */
  record Ceiling(String extra, String above) implements Measure {

    @Override
    public double of(RaceResult row, Figures entry) {
      double base = above.isEmpty() ? 0 : value(row, above);
      return value(row, entry.name()) - base;
    }

    private double value(RaceResult row, String name) {
      return row.figures().stream()
          .filter(figures -> figures.name().equals(name))
          .mapToDouble(figures -> figures.extras().getOrDefault(extra, Double.NaN))
          .findFirst()
          .orElse(Double.NaN);
    }

    @Override
    public String text(double value) {
      return Units.count(value) + (above.isEmpty() ? " " : " more ") + extra;
    }

    @Override
    public boolean isCeiling() {
      return true;
    }
  }
}
