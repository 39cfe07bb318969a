package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BoundsTest {

  private static final Duration LEAST = Duration.ofMillis(10);
  private static final Duration MOST = Duration.ofMinutes(1);

  @Test
  @DisplayName("both ends of a range are inside")
  void both_ends_of_a_range_are_inside() {
    assertThatNoException()
        .isThrownBy(
            () -> {
              Bounds.require("wait", LEAST, LEAST, MOST);
              Bounds.require("wait", MOST, LEAST, MOST);
              Bounds.require("lanes", 1, 1, 64);
              Bounds.require("lanes", 64, 1, 64);
              Bounds.requireFraction("drift", 0.02, 0.02, 0.25);
              Bounds.requireFraction("drift", 0.25, 0.02, 0.25);
            });
  }

  @Test
  @DisplayName("a refusal names the option, its bounds and the value")
  void a_refusal_names_the_option_its_bounds_and_the_value() {
    refused("wait must be 10 ms..60 s: wait=9 ms", () -> require(Duration.ofMillis(9)));
    refused("wait must be 10 ms..60 s: wait=60.001 s", () -> require(MOST.plusMillis(1)));
    refused("lanes must be 1..64: lanes=0", () -> Bounds.require("lanes", 0, 1, 64));
    refused("lanes must be 1..64: lanes=65", () -> Bounds.require("lanes", 65, 1, 64));
    refused(
        "drift must be 0.02..0.25: drift=0.3",
        () -> Bounds.requireFraction("drift", 0.3, 0.02, 0.25));
    refused(
        "drift must be 0.02..0.25: drift=NaN",
        () -> Bounds.requireFraction("drift", Double.NaN, 0.02, 0.25));
  }

  private static void require(Duration value) {
    Bounds.require("wait", value, LEAST, MOST);
  }

  private static void refused(String message, Runnable check) {
    assertThatIllegalArgumentException().isThrownBy(check::run).withMessage(message);
  }
}
