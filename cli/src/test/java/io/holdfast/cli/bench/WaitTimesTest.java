package io.holdfast.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class WaitTimesTest {

  private static final Percentage THREE_DIGITS = Percentage.withPercentage(0.1);

  @Test
  void percentiles_are_those_of_what_was_added() {
    WaitTimes waits = WaitTimes.none();
    for (int i = 1; i <= 1000; i++) {
      waits.add(i * 1_000L);
    }
    assertThat(waits.count()).isEqualTo(1000);
    assertThat(waits.percentile(50)).isCloseTo(500_000, THREE_DIGITS);
    assertThat(waits.percentile(99)).isCloseTo(990_000, THREE_DIGITS);
    assertThat(waits.longest()).isCloseTo(1_000_000, THREE_DIGITS);
  }

  @Test
  void one_long_wait_shows_as_the_longest_and_not_in_the_median() {
    WaitTimes waits = Samples.waits(10, 10, 10, 10, 5_000_000_000L);
    assertThat(waits.percentile(50)).isEqualTo(10);
    assertThat(waits.longest()).isCloseTo(5_000_000_000L, THREE_DIGITS);
  }

  @Test
  void none_are_zero() {
    assertThat(WaitTimes.none().percentile(99)).isZero();
    assertThat(WaitTimes.none().longest()).isZero();
  }

  @Test
  void what_is_beyond_an_hour_counts_as_an_hour() {
    WaitTimes waits = Samples.waits(Long.MAX_VALUE);
    assertThat(waits.longest()).isCloseTo(3_600_000_000_000L, THREE_DIGITS);
  }

  @Test
  void adding_others_adds_them_all() {
    WaitTimes waits = Samples.waits(10, 20);
    waits.addAll(Samples.waits(30, 40));
    assertThat(waits.count()).isEqualTo(4);
    assertThat(waits.percentile(50)).isEqualTo(20);
    assertThat(waits.longest()).isEqualTo(40);
  }

  @Test
  void text_and_back_is_the_same() {
    WaitTimes back = WaitTimes.decoded(Samples.waits(10, 1_000, 54_000_000).encoded());
    assertThat(back.count()).isEqualTo(3);
    assertThat(back.percentile(50)).isCloseTo(1_000, within(1L));
    assertThat(back.longest()).isCloseTo(54_000_000, THREE_DIGITS);
  }

  @Test
  void other_text_is_refused() {
    assertThatThrownBy(
            () -> WaitTimes.decoded("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
