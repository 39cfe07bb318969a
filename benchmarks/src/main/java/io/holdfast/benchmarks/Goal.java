package io.holdfast.benchmarks;

import java.util.List;

/**
 * What the project wants to reach on an ordinary machine.
 *
 * @param heading of the race
 * @param racer by its name
 * @param atLeast locks taken and given back per second
 */
record Goal(String heading, String racer, double atLeast) {

  /**
   * A goal and what was reached.
   *
   * @param longest nanoseconds of the longest acquire
   */
  record Verdict(Goal goal, double reached, long longest) {

    boolean passed() {
      return reached >= goal.atLeast;
    }

    String text() {
      return "%s  %s, %s: %s/s, bar %s/s, longest wait %s"
          .formatted(
              passed() ? "PASS" : "FAIL",
              goal.heading,
              goal.racer,
              Units.count(reached),
              Units.count(goal.atLeast),
              Units.nanos(longest));
    }
  }

  /** Compares with the rows; what was not run was not reached. */
  Verdict judge(List<Row> rows) {
    return rows.stream()
        .filter(row -> row.heading().equals(heading))
        .flatMap(row -> row.figures().stream())
        .filter(figures -> figures.name().equals(racer))
        .map(figures -> new Verdict(this, figures.opsPerSecond(), figures.longest()))
        .findFirst()
        .orElseGet(() -> new Verdict(this, 0, 0));
  }
}
