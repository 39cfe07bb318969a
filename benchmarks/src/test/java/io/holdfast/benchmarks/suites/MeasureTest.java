package io.holdfast.benchmarks.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.bench.Fairness;
import io.holdfast.cli.bench.Figures;
import io.holdfast.cli.bench.LoadMode;
import io.holdfast.cli.bench.RaceResult;
import io.holdfast.cli.bench.RaceSetup;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasureTest {

  private static final String HEADING = "a < b & c";

  private static Goal.Verdict judge(Measure measure, double bar, Figures... figures) {
    return new Goal(HEADING, "us", measure, bar).judge(List.of(row(figures)));
  }

  private static Figures figures(String name, double... opsPerSecond) {
    return figures(name, 1, Map.of(), opsPerSecond);
  }

  private static Figures with(String name, String extra, double value) {
    return figures(name, 1, Map.of(extra, value), 10);
  }

  private static Figures figures(
      String name, double leastToMost, Map<String, Double> extras, double... opsPerSecond) {
    List<Double> rounds = Arrays.stream(opsPerSecond).boxed().toList();
    Fairness fairness = new Fairness(leastToMost, 1);
    return new Figures(name, false, rounds, 1_000, 1_000, 1_000, fairness, 0, 0, List.of(), extras);
  }

  private static RaceResult row(Figures... figures) {
    RaceSetup setup = RaceSetup.of(LoadMode.SHARED, 2, Duration.ofSeconds(2), 3);
    return new RaceResult(HEADING, setup, List.of(figures));
  }

  @Test
  void a_ratio_is_the_median_of_the_rounds_own() {
    Goal.Verdict verdict =
        judge(
            Measure.times(List.of("x")),
            3,
            // 2x, 5x and 3x; the ratio of the medians would be 400 / 100.
            figures("us", 400, 500, 300),
            figures("x", 200, 100, 100));
    assertThat(verdict.reached()).isEqualTo(3);
    assertThat(verdict.passed()).isTrue();
    assertThat(verdict.text()).contains("PASS", "us: 3.00x x, bar 3.00x x, longest wait");
  }

  @Test
  void the_best_peer_is_another_one_in_every_round() {
    Goal.Verdict verdict =
        judge(
            Measure.times(List.of("x", "y")),
            2.5,
            figures("us", 400, 400, 400),
            figures("x", 200, 100, 50),
            figures("y", 10, 200, 200),
            figures("not named", 9_999, 9_999, 9_999));
    assertThat(verdict.reached()).isEqualTo(2);
    assertThat(verdict.passed()).isFalse();
    assertThat(verdict.text()).contains("FAIL", "2.00x the best peer");
  }

  @Test
  void a_peer_that_did_not_run_is_not_beaten() {
    Goal.Verdict verdict =
        judge(Measure.times(List.of("x", "y")), 2, figures("us", 400), figures("x", 1));
    assertThat(verdict.reached()).isNaN();
    assertThat(verdict.passed()).isFalse();
    assertThat(verdict.text()).contains("not measured");
  }

  @Test
  void shares_are_compared_with_each_other() {
    assertThat(judge(Measure.evenness(), 0.5, figures("us", 10)).reached()).isEqualTo(1);
    assertThat(judge(Measure.evenness(), 0.5, figures("us", 0.5, Map.of(), 3)).reached())
        .isEqualTo(0.5);
  }

  @Test
  void a_ceiling_must_not_be_exceeded() {
    Goal.Verdict three = judge(Measure.ceiling("doors"), 3, with("us", "doors", 3));
    Goal.Verdict four = judge(Measure.ceiling("doors"), 3, with("us", "doors", 4));
    assertThat(three.passed()).isTrue();
    assertThat(four.passed()).isFalse();
    assertThat(four.text()).contains("us: 4 doors, bar at most 3 doors");
  }

  @Test
  void a_ceiling_may_be_above_another_racer() {
    Measure more = Measure.ceiling("doors", "x");
    assertThat(judge(more, 2, with("us", "doors", 12), with("x", "doors", 10)).passed()).isTrue();
    assertThat(judge(more, 2, with("us", "doors", 13), with("x", "doors", 10)).text())
        .contains("FAIL", "us: 3 more doors, bar at most 2 more doors");
  }

  @Test
  void what_was_not_measured_is_under_no_ceiling() {
    assertThat(judge(Measure.ceiling("doors"), 3, figures("us", 10)).passed()).isFalse();
    assertThat(new Goal("race", "us", Measure.ceiling("doors"), 3).judge(List.of()).passed())
        .isFalse();
  }
}
