package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.memory.MemoryEngine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a rival that was let in")
class TooLateTest {

  private final ManualTime time = new ManualTime();
  private final Holdfast holdfast =
      Holdfast.open(
          MemoryEngine.create(time::nanoTime, time::epochMicros), HoldfastOptions.DEFAULTS, time);
  private final Holdfast brief = holdfast.with(o -> o.withFixedLease(Duration.ofMinutes(1)));

  @AfterEach
  void close() {
    holdfast.close();
  }

  @Test
  @DisplayName("beside one that has expired came in rightly: it was late")
  void late() throws Exception {
    Hold expired = brief.lock("x").acquire();
    time.advance(Duration.ofMinutes(1));
    Optional<Hold> rival = holdfast.lock("x").tryAcquire();
    assertThatThrownBy(() -> TooLate.requireRefused(rival, List.of(expired), "a rival"))
        .isInstanceOf(TooLate.class)
        .hasMessageContaining("EXPIRED");
  }

  @Test
  @DisplayName("beside one that believes is wrong, and no second run excuses it")
  void wrong() throws Exception {
    // Two names stand for one that a broken store gave twice.
    try (Hold holder = holdfast.lock("x").acquire()) {
      Optional<Hold> rival = holdfast.lock("y").tryAcquire();
      assertThatThrownBy(() -> TooLate.requireRefused(rival, List.of(holder), "a rival"))
          .isInstanceOf(AssertionError.class)
          .isNotInstanceOf(TooLate.class)
          .hasMessageContaining("which believes");
    }
  }

  @Test
  @DisplayName("beside one that was lost otherwise is wrong")
  void lost() throws Exception {
    Hold holder = holdfast.with(o -> o.withMaxHold(Duration.ofSeconds(5))).lock("x").acquire();
    time.advance(Duration.ofSeconds(6));
    Optional<Hold> rival = holdfast.lock("y").tryAcquire();
    assertThatThrownBy(() -> TooLate.requireRefused(rival, List.of(holder), "a rival"))
        .isInstanceOf(AssertionError.class)
        .isNotInstanceOf(TooLate.class)
        .hasMessageContaining("MAX_HOLD");
  }

  @Test
  @DisplayName("and none that was not")
  void excluded() throws Exception {
    try (Hold holder = holdfast.lock("x").acquire()) {
      Optional<Hold> rival = holdfast.lock("x").tryAcquire();
      assertThatCode(() -> TooLate.requireRefused(rival, List.of(holder), "a rival"))
          .doesNotThrowAnyException();
    }
  }
}
