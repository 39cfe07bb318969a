package io.holdfast.benchmarks;

import java.util.List;

/**
 * What the project wants to reach on an ordinary machine.
 *
 * @param heading of the race
 * @param racer by its name
 * @param bar that the measure must reach, or must not exceed
 */
record Goal(String heading, String racer, Measure measure, double bar) {

  /**
   * A goal of speed.
   *
   * @param atLeast locks taken and given back per second
   */
  Goal(String heading, String racer, double atLeast) {
    this(heading, racer, Measure.speed(), atLeast);
  }

  /**
   * A goal and what was reached.
   *
   * @param reached not a number if that cannot be told
   * @param longest nanoseconds of the longest acquire
   */
  record Verdict(Goal goal, double reached, long longest) {

    boolean passed() {
      // Both are false for what is not a number.
      return goal.measure.isCeiling() ? reached <= goal.bar : reached >= goal.bar;
    }

    String text() {
      return "%s  %s, %s: %s, bar %s%s, longest wait %s"
          .formatted(
              passed() ? "PASS" : "FAIL",
              goal.heading,
              goal.racer,
              Double.isNaN(reached) ? "not measured" : goal.measure.text(reached),
              goal.measure.isCeiling() ? "at most " : "",
              goal.measure.text(goal.bar),
              Units.nanos(longest));
    }
  }

  /** Compares with the rows; what was not run was not reached. */
  Verdict judge(List<Row> rows) {
    for (Row row : rows) {
      for (Figures figures : row.figures()) {
        if (row.heading().equals(heading) && figures.name().equals(racer)) {
          return new Verdict(this, measure.of(row, figures), figures.longest());
        }
      }
    }
    return new Verdict(this, Double.NaN, 0);
  }
}
