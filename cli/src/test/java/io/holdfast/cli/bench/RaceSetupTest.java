package io.holdfast.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RaceSetupTest {

  private static RaceSetup apart(Duration time) {
    return new RaceSetup(LoadMode.PROCESSES, 4, 3, 0, Duration.ZERO, time, 5);
  }

  @Test
  void theRoundToWarmUpIsFiveTimesAsLongAndAtMostFiveSeconds() {
    assertThat(apart(Duration.ofMillis(200)).warmUp()).isEqualTo(Duration.ofSeconds(1));
    assertThat(apart(Duration.ofSeconds(2)).warmUp()).isEqualTo(Duration.ofSeconds(5));
    assertThat(apart(Duration.ofSeconds(8)).warmUp()).isEqualTo(Duration.ofSeconds(8));
  }

  @Test
  void aLongOneIsNineTimesThat() {
    RaceSetup well = apart(Duration.ofSeconds(1)).warmedUpWell();
    assertThat(well.warmUp()).isEqualTo(Duration.ofSeconds(45));
    assertThat(well.method()).isEqualTo("5 alternating rounds of 1 s after one of 45 s to warm up");
    assertThat(well.title()).isEqualTo(apart(Duration.ofSeconds(1)).title());
  }
}
