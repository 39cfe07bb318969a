package io.holdfast.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitsTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0 ns",
    "412, 412 ns",
    "999.4, 999 ns",
    "999.9, 1 us",
    "3_140, 3.1 us",
    "200_000, 200 us",
    "54_000_000, 54 ms",
    "2_500_000_000, 2.5 s",
    "600_000_000_000, 600 s"
  })
  void times(String nanos, String text) {
    assertThat(Units.nanos(Double.parseDouble(nanos.replace("_", "")))).isEqualTo(text);
  }

  @Test
  void counts_and_parts() {
    assertThat(Units.count(1_234_567.8)).isEqualTo("1,234,568");
    assertThat(Units.percent(0.126)).isEqualTo("13 %");
    assertThat(Units.ratio(1)).isEqualTo("1.00x");
    assertThat(Units.ratio(38.42)).isEqualTo("38.4x");
    assertThat(Units.ratio(0.00284)).isEqualTo("0.0028x");
  }
}
