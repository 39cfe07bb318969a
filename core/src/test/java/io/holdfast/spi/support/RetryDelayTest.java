package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryDelayTest {

  private static final long MILLI = 1_000_000L;

  private double random;

  private RetryDelay delay(long firstMillis, long longestMillis) {
    return new RetryDelay(
        Duration.ofMillis(firstMillis), Duration.ofMillis(longestMillis), () -> random);
  }

  private static long[] millisAfter(RetryDelay delay, int... failures) {
    return IntStream.of(failures)
        .mapToLong(delay::nanosAfter)
        .map(nanos -> nanos / MILLI)
        .toArray();
  }

  @Test
  void delaysDoubleUpToTheLongest() {
    assertThat(millisAfter(delay(50, 500), 1, 2, 3, 4, 5, 6, 1000))
        .containsExactly(50, 100, 200, 400, 500, 500, 500);
    assertThat(millisAfter(delay(50, 400), 3, 4, 5)).containsExactly(200, 400, 400);
  }

  @Test
  void lessThanOneFailureCountsAsOne() {
    assertThat(millisAfter(delay(50, 500), 0, -1, Integer.MIN_VALUE)).containsOnly(50);
  }

  @Test
  void aSteadyDelayDoesNotGrow() {
    RetryDelay steady = RetryDelay.steady(Duration.ofMillis(250), () -> random);
    assertThat(millisAfter(steady, 1, 2, 64, Integer.MAX_VALUE)).containsOnly(250);
    random = 0.5;
    assertThat(millisAfter(steady, 1, 64)).containsOnly(187);
  }

  @Test
  void noDelayStaysNoDelay() {
    assertThat(millisAfter(delay(0, 500), 1, 2, 63, 64, 65, Integer.MAX_VALUE)).containsOnly(0);
  }

  @Test
  void veryLongDelaysDoNotOverflow() {
    RetryDelay huge =
        new RetryDelay(Duration.ofDays(1), Duration.ofDays(200_000), () -> random).withSpread(0);
    assertThat(huge.nanosAfter(2)).isEqualTo(Duration.ofDays(2).toNanos());
    for (int failures = 1; failures < 200; failures++) {
      assertThat(huge.nanosAfter(failures)).isPositive();
    }
    assertThat(huge.nanosAfter(200)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void jitterCutsADelayByUpToAHalf() {
    RetryDelay delay = delay(100, 1000);
    random = 0.5;
    assertThat(millisAfter(delay, 1, 2)).containsExactly(75, 150);
    random = Math.nextDown(1.0);
    assertThat(millisAfter(delay, 1, 2, 100)).containsExactly(50, 100, 500);
  }

  @Test
  void theSpreadCanBeChosen() {
    random = 0.75;
    assertThat(millisAfter(delay(100, 1000).withSpread(0), 1, 2)).containsExactly(100, 200);
    assertThat(millisAfter(delay(100, 1000).withSpread(1), 1, 2)).containsExactly(25, 50);
    assertThat(delay(100, 1000).withSpread(1).after(1)).isEqualTo(Duration.ofMillis(25));
  }

  @Test
  void aSequenceCountsItsFailures() {
    RetryDelay.Sequence sequence = delay(50, 150).sequence();
    assertThat(sequence.failures()).isZero();
    assertThat(sequence.nextNanos()).isEqualTo(50 * MILLI);
    assertThat(sequence.nextNanos()).isEqualTo(100 * MILLI);
    assertThat(sequence.nextNanos()).isEqualTo(150 * MILLI);
    assertThat(sequence.failures()).isEqualTo(3);
    sequence.reset();
    assertThat(sequence.nextNanos()).isEqualTo(50 * MILLI);
  }

  @Test
  void sequencesDoNotShareTheirFailures() {
    RetryDelay delay = delay(50, 150);
    assertThat(delay.sequence().nextNanos()).isEqualTo(delay.sequence().nextNanos());
  }

  @Test
  void wrongDelaysAreRefusedByName() {
    assertThatThrownBy(() -> delay(10, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("delays must be 0 <= first <= longest: first=10 ms longest=5 ms");
    assertThatThrownBy(() -> delay(-1, 5)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> delay(1, 5).withSpread(1.1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("spread must be 0..1: spread=1.1");
    assertThatThrownBy(() -> delay(1, 5).withSpread(Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
