package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Times:")
class DurationsTest {

  @ParameterizedTest
  @CsvSource({"500ms, PT0.5S", "0s, PT0S", "30s, PT30S", "5m, PT5M", "1h, PT1H", "2d, PT48H"})
  @DisplayName("a number and a unit")
  void reads(String text, Duration time) {
    assertThat(Durations.parse(text)).isEqualTo(time);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "30", "s", "-1s", "1.5s", "30 s", "1w", "9999999999s", "１s"})
  @DisplayName("anything else is refused, with the form")
  void refuses(String text) {
    assertThatThrownBy(() -> Durations.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'")
        .hasMessageContaining("500ms, 30s");
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 ms",
    "PT0.25S, 250 ms",
    "PT4S, 4 s",
    "PT4.25S, 4.2 s",
    "PT3M5S, 3 min 05 s",
    "PT1H, 1 h",
    "PT1H2M, 1 h 02 min",
    "PT26H, 1 d 02 h",
    "PT-1S, 0 s"
  })
  @DisplayName("are shown with at most two units")
  void shows(Duration time, String text) {
    assertThat(Durations.text(time)).isEqualTo(text);
  }

  @Test
  @DisplayName("the longest duration can be parsed")
  void longest() {
    assertThat(Durations.parse("999999999d")).isEqualTo(Duration.ofDays(999_999_999));
  }
}
