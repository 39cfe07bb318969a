package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 s",
    "PT10S, 10 s",
    "PT1M30S, 90 s",
    "PT1.5S, 1.5 s",
    "PT0.999S, 999 ms",
    "PT0.25S, 250 ms",
    "PT0.0015S, 1.5 ms",
    "PT0.000064S, 64 us",
    "PT0.000000001S, 0.001 us",
    "PT1.000000001S, 1.000000001 s",
    "PT-2.5S, -2.5 s",
    "PT-0.25S, -250 ms",
    "PT300S, 300 s"
  })
  void exactInTheUnitThatReadsBest(Duration duration, String text) {
    assertThat(DurationText.of(duration)).isEqualTo(text);
  }
}
