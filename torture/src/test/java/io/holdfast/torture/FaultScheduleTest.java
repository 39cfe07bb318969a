package io.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FaultScheduleTest {

  @Test
  @DisplayName("the same seed and stream draw the same, others do not")
  void seeds() {
    assertThat(draws(7, "links")).isEqualTo(draws(7, "links"));
    assertThat(draws(7, "links")).isNotEqualTo(draws(8, "links"));
    assertThat(draws(7, "links")).isNotEqualTo(draws(7, "servers"));
  }

  @Test
  @DisplayName("times are within their leases")
  void bounds() {
    FaultSchedule schedule = new FaultSchedule(1, "links", Duration.ofSeconds(5));
    for (int i = 0; i < 1000; i++) {
      assertThat(schedule.leases(0.5, 2))
          .isBetween(Duration.ofMillis(2500), Duration.ofSeconds(10));
    }
  }

  private static List<Object> draws(long seed, String stream) {
    FaultSchedule schedule = new FaultSchedule(seed, stream, Duration.ofSeconds(5));
    List<Object> drawn = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      drawn.add(schedule.leases(0, 1));
      drawn.add(schedule.chance(50));
    }
    return drawn;
  }
}
