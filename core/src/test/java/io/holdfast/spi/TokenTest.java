package io.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TokenTest {

  private static final long LAST_COUNTER = (1L << 46) - 1;

  @Test
  void aTokenGivesBackWhatItWasMadeOf() {
    long token = Token.handedOver(Token.of(5, 123_456_789L), 42);
    assertThat(Token.generation(token)).isEqualTo(5);
    assertThat(Token.counter(token)).isEqualTo(123_456_789L);
    assertThat(token & 1023).isEqualTo(42);
  }

  @Test
  void aLaterGrantOutranksEveryHandOverOfAnEarlierOne() {
    long last = Token.handedOver(Token.of(0, 7), Token.MAX_HAND_OVERS);
    assertThat(Token.of(0, 8)).isGreaterThan(last);
  }

  @Test
  void aHigherGenerationOutranksEveryCounter() {
    long last = Token.handedOver(Token.of(3, LAST_COUNTER), Token.MAX_HAND_OVERS);
    assertThat(Token.of(4, 0)).isGreaterThan(last);
  }

  @Test
  void theLargestTokenIsStillPositive() {
    long last =
        Token.handedOver(Token.of(Token.MAX_GENERATION, LAST_COUNTER), Token.MAX_HAND_OVERS);
    assertThat(last).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void handOversBelongToTheGrantTheyCameFrom() {
    long granted = Token.of(1, 99);
    assertThat(Token.grant(Token.handedOver(granted, 1023))).isEqualTo(Token.grant(granted));
    assertThat(Token.grant(Token.of(1, 100))).isNotEqualTo(Token.grant(granted));
    assertThat(Token.grant(Token.of(2, 99))).isNotEqualTo(Token.grant(granted));
  }

  @Test
  void aCounterOutOfRangeIsRefusedRatherThanWrapped() {
    assertThatThrownBy(() -> Token.of(0, LAST_COUNTER + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("counter=" + (LAST_COUNTER + 1));
    assertThatThrownBy(() -> Token.of(0, -1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aGenerationOutOfRangeIsRefused() {
    assertThatThrownBy(() -> Token.of(128, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("generation=128");
    assertThatThrownBy(() -> Token.of(-1, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void oneHandOverTooManyIsRefused() {
    assertThatThrownBy(() -> Token.handedOver(Token.of(0, 1), 1024))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("times=1024");
    assertThatThrownBy(() -> Token.handedOver(Token.of(0, 1), -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theNextCounterFollowsTheClockWhenTheClockIsAhead() {
    assertThat(Token.nextCounter(10, 64 * 1000 + 63)).isEqualTo(1000);
  }

  @Test
  void theNextCounterRisesEvenWhenTheClockStoodStillOrWentBack() {
    assertThat(Token.nextCounter(1000, 64 * 1000)).isEqualTo(1001);
    assertThat(Token.nextCounter(1000, 0)).isEqualTo(1001);
  }
}
