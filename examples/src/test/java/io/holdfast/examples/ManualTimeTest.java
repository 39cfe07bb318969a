package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Loss;
import io.holdfast.Once;
import io.holdfast.memory.MemoryEngine;
import io.holdfast.tck.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("With time that is moved by hand")
class ManualTimeTest {

  // region docs
  private final ManualTime time = new ManualTime();
  private final Holdfast holdfast =
      Holdfast.open(
          MemoryEngine.create(time::nanoTime, time::epochMicros), HoldfastOptions.DEFAULTS, time);

  @Test
  @DisplayName("a hold is renewed for as long as it is held")
  void renewed() throws InterruptedException {
    try (Hold hold = holdfast.lock("report").acquire()) {
      time.advance(Duration.ofHours(1)); // at once

      assertThat(hold.isHeld()).isTrue();
    }
  }

  @Test
  @DisplayName("a fixed lease ends, and the next one gets in")
  void expired() throws InterruptedException {
    Holdfast brief = holdfast.with(o -> o.withFixedLease(Duration.ofMinutes(1)));
    Hold hold = brief.lock("report").acquire();

    time.advance(Duration.ofMinutes(1));

    assertThat(hold.isHeld()).isFalse();
    assertThat(hold.loss()).map(Loss::cause).contains(Loss.Cause.EXPIRED);
    assertThat(brief.lock("report").tryAcquire()).isPresent();
  }

  // endregion

  @Test
  @DisplayName("a daily job runs once a day")
  void daily() throws InterruptedException {
    Once daily = holdfast.once("daily-report", Duration.ofDays(1));

    assertThat(daily.runNoWait(hold -> {})).isEqualTo(Once.Result.RAN);
    time.advance(Duration.ofHours(12));
    assertThat(daily.runNoWait(hold -> {})).isEqualTo(Once.Result.DONE);
    time.advance(Duration.ofHours(12));
    assertThat(daily.runNoWait(hold -> {})).isEqualTo(Once.Result.RAN);
  }

  @AfterEach
  void close() {
    holdfast.close();
  }
}
