package io.holdfast.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FiguresTest {

  @Test
  void the_median_of_an_odd_and_of_an_even_number() {
    assertThat(Figures.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2);
    assertThat(Figures.median(List.of(9.0, 1.0, 2.0, 4.0))).isEqualTo(3);
  }

  @Test
  void medians_and_spread_of_the_rounds() {
    Figures figures = Samples.figures("a", 100, 300, 200);
    assertThat(figures.opsPerSecond()).isEqualTo(200);
    assertThat(figures.slowest()).isEqualTo(100);
    assertThat(figures.fastest()).isEqualTo(300);
    assertThat(figures.spread()).isEqualTo(1);
    assertThat(figures.p50()).isEqualTo(1_000);
    assertThat(figures.bytesPerOp()).isEqualTo(100);
    assertThat(figures.cpuPerOp()).isEqualTo(500);
    assertThat(figures.fairness()).isEqualTo(new Fairness(1, 1));
  }

  @Test
  void the_longest_wait_is_that_of_all_rounds() {
    List<Sample> rounds =
        List.of(
            Samples.second(10),
            Samples.second(10, 2_000_000, List.of()),
            Samples.second(10, 50_000, List.of()));
    Figures figures = Figures.of(Samples.entry("a"), rounds.get(0), rounds);
    assertThat((double) figures.longest()).isCloseTo(2_000_000, within(2_000.0));
  }

  @Test
  void faults_of_the_warm_up_count_and_repeated_ones_are_told_once() {
    Sample broken = Samples.second(10, 10, List.of("lost"));
    Figures figures =
        Figures.of(Samples.entry("a"), broken, List.of(Samples.second(10), broken, broken));
    assertThat(figures.faults()).containsExactly("lost");
  }

  @Test
  void extras_are_medians_too() {
    List<Sample> rounds =
        List.of(
            Samples.second(1).withExtras(Map.of("threads", 5.0)),
            Samples.second(1).withExtras(Map.of("threads", 9.0)),
            Samples.second(1).withExtras(Map.of("threads", 6.0)));
    assertThat(Figures.of(Samples.entry("a"), rounds.get(0), rounds).extras())
        .containsEntry("threads", 6.0);
  }

  @Test
  void ratios_are_to_the_first_racer() {
    Figures first = Samples.figures("a", 100);
    Figures second = Samples.figures("b", 250);
    RaceResult row = Samples.row(first, second);
    assertThat(row.ratio(first)).isEqualTo(1);
    assertThat(row.ratio(second)).isEqualTo(2.5);
  }
}
