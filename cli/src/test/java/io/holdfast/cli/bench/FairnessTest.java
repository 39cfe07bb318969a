package io.holdfast.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class FairnessTest {

  @Test
  void equal_shares_are_fair() {
    assertThat(Fairness.of(List.of(7L, 7L, 7L))).isEqualTo(new Fairness(1, 1));
  }

  @Test
  void one_that_gets_all_of_four_is_a_quarter() {
    assertThat(Fairness.of(List.of(12L, 0L, 0L, 0L))).isEqualTo(new Fairness(0, 0.25));
  }

  @Test
  void unequal_shares_lie_between() {
    Fairness fairness = Fairness.of(List.of(1L, 2L, 3L));
    assertThat(fairness.leastToMost()).isCloseTo(1.0 / 3, within(1e-9));
    assertThat(fairness.jain()).isCloseTo(36.0 / 42, within(1e-9));
  }

  @Test
  void nothing_is_even() {
    assertThat(Fairness.of(List.of(0L, 0L))).isEqualTo(new Fairness(1, 1));
    assertThat(Fairness.of(List.of())).isEqualTo(new Fairness(1, 1));
  }
}
