package io.holdfast.benchmarks.suites;

import io.holdfast.cli.bench.Figures;
import io.holdfast.cli.bench.RaceResult;
import io.holdfast.cli.bench.Units;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A bar that the project wants to reach on an ordinary machine.
 *
 * @param heading of the race
 * @param entry by its name
 * @param bar that the measure must reach, or must not exceed
 */
public record Goal(String heading, String entry, Measure measure, double bar) {

  /**
   * A goal of speed.
   *
   * @param atLeast locks acquired and released per second
   */
  public Goal(String heading, String entry, double atLeast) {
    this(heading, entry, Measure.speed(), atLeast);
  }

  /**
   * A goal and what was reached.
   *
   * @param reached not a number if unknown
   * @param longest nanoseconds of the longest acquire
   */
  public record Verdict(Goal goal, double reached, long longest) {

    public boolean passed() {
      // Both are false for what is not a number.
      return goal.measure.isCeiling() ? reached <= goal.bar : reached >= goal.bar;
    }

    public String text() {
      return "%s  %s, %s: %s, bar %s%s, longest wait %s"
          .formatted(
              passed() ? "PASS" : "FAIL",
              goal.heading,
              goal.entry,
              Double.isNaN(reached) ? "not measured" : goal.measure.text(reached),
              goal.measure.isCeiling() ? "at most " : "",
              goal.measure.text(goal.bar),
              Units.nanos(longest));
    }

    public Map<String, Object> json() {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("heading", goal.heading);
      json.put("contender", goal.entry);
      json.put(goal.measure.isCeiling() ? "atMost" : "atLeast", goal.bar);
      // JSON has no NaN.
      if (!Double.isNaN(reached)) {
        json.put("reached", reached);
      }
      json.put("text", text());
      json.put("longestNanos", longest);
      json.put("passed", passed());
      return json;
    }
  }

  /** Compares with the rows; what was not run was not reached. */
  public Verdict judge(List<RaceResult> rows) {
    for (RaceResult row : rows) {
      for (Figures figures : row.figures()) {
        if (row.heading().equals(heading) && figures.name().equals(entry)) {
          return new Verdict(this, measure.of(row, figures), figures.longest());
        }
      }
    }
    return new Verdict(this, Double.NaN, 0);
  }
}
