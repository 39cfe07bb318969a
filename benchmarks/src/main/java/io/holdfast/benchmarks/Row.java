package io.holdfast.benchmarks;

import java.util.List;

/**
 * What a race gave.
 *
 * @param heading above its table and bars
 * @param figures of each racer, in the order of the line-up
 */
record Row(String heading, Setup setup, List<Figures> figures) {

  Row {
    figures = List.copyOf(figures);
  }

  /** How a racer compares with the first one. */
  double ratio(Figures racer) {
    double first = figures.get(0).opsPerSecond();
    return first == 0 ? 0 : racer.opsPerSecond() / first;
  }

  boolean hasFaults() {
    return figures.stream().anyMatch(racer -> !racer.faults().isEmpty());
  }
}
