package io.holdfast.cli.bench;

import java.util.List;

/**
 * The figures of a race.
 *
 * @param heading above its table and bars
 * @param figures of each entry, in the order of the race
 */
public record RaceResult(String heading, RaceSetup setup, List<Figures> figures) {

  public RaceResult {
    figures = List.copyOf(figures);
  }

  /** How an entry compares with the first one. */
  double ratio(Figures entry) {
    double first = figures.get(0).opsPerSecond();
    return first == 0 ? 0 : entry.opsPerSecond() / first;
  }

  public boolean hasFaults() {
    return figures.stream().anyMatch(entry -> !entry.faults().isEmpty());
  }
}
