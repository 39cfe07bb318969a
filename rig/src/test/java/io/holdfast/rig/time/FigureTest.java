package io.holdfast.rig.time;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.tck.TooLateError;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FigureTest {

  @Test
  void what_is_far_beyond_its_bound_is_too_late() {
    Duration bound = Duration.ofMillis(1);
    assertThatCode(() -> Figure.within(bound, 5_000_000, "it")).doesNotThrowAnyException();
    assertThatThrownBy(() -> Figure.within(bound, 5_000_001, "it"))
        .isInstanceOf(TooLateError.class)
        .hasMessageContaining("it took 5 ms, the bound is 1 ms");
  }

  @Test
  void more_that_came_late_than_may_is_too_late() {
    assertThatCode(() -> Figure.lateAtMost(2, 2, "periods")).doesNotThrowAnyException();
    assertThatThrownBy(() -> Figure.lateAtMost(2, 3, "periods"))
        .isInstanceOf(TooLateError.class)
        .hasMessageContaining("periods: 3, the bound is 2");
  }
}
