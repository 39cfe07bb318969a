package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.memory.MemoryEngine;
import io.holdfast.tck.ManualTime;
import io.holdfast.tck.TooLateError;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a second grant")
class HoldAssertionsTest {

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
  @DisplayName("after the first hold expired is right: it was late")
  void late() throws Exception {
    Hold expired = brief.lock("x").acquire();
    time.advance(Duration.ofMinutes(1));
    Optional<Hold> rival = holdfast.lock("x").tryAcquire();
    assertThatThrownBy(() -> HoldAssertions.requireRefused(rival, List.of(expired), "a rival"))
        .isInstanceOf(TooLateError.class)
        .hasMessageContaining("EXPIRED");
  }

  @Test
  @DisplayName("while the first hold is believed is wrong, and no second run excuses it")
  void wrong() throws Exception {
    // Two names stand for one name that a broken store granted twice.
    try (Hold holder = holdfast.lock("x").acquire()) {
      Optional<Hold> rival = holdfast.lock("y").tryAcquire();
      assertThatThrownBy(() -> HoldAssertions.requireRefused(rival, List.of(holder), "a rival"))
          .isInstanceOf(AssertionError.class)
          .isNotInstanceOf(TooLateError.class)
          .hasMessageContaining("which believes");
    }
  }

  @Test
  @DisplayName("after the first hold was lost in another way is wrong")
  void lost() throws Exception {
    Hold holder = holdfast.with(o -> o.withMaxHold(Duration.ofSeconds(5))).lock("x").acquire();
    time.advance(Duration.ofSeconds(6));
    Optional<Hold> rival = holdfast.lock("y").tryAcquire();
    assertThatThrownBy(() -> HoldAssertions.requireRefused(rival, List.of(holder), "a rival"))
        .isInstanceOf(AssertionError.class)
        .isNotInstanceOf(TooLateError.class)
        .hasMessageContaining("MAX_HOLD");
  }

  @Test
  @DisplayName("between the first hold's deadline and the report of its loss is right: it was late")
  void notReportedYet() throws Exception {
    try (Hold holder = holdfast.lock("x").acquire()) {
      Hold overdue = overdue(holder);
      Optional<Hold> rival = holdfast.lock("y").tryAcquire();
      assertThatThrownBy(() -> HoldAssertions.requireRefused(rival, List.of(overdue), "a rival"))
          .isInstanceOf(TooLateError.class);
      assertThatThrownBy(() -> HoldAssertions.requireHeld(overdue, "a hold"))
          .isInstanceOf(TooLateError.class);
    }
  }

  /** Returns a view of the hold at the moment after its deadline, when no timer has run yet. */
  private static Hold overdue(Hold hold) {
    InvocationHandler handler =
        (proxy, method, arguments) ->
            method.getName().equals("isHeld") ? (Object) false : method.invoke(hold, arguments);
    return (Hold)
        Proxy.newProxyInstance(
            HoldAssertionsTest.class.getClassLoader(), new Class<?>[] {Hold.class}, handler);
  }

  @Test
  @DisplayName("and none that was not")
  void excluded() throws Exception {
    try (Hold holder = holdfast.lock("x").acquire()) {
      Optional<Hold> rival = holdfast.lock("x").tryAcquire();
      assertThatCode(() -> HoldAssertions.requireRefused(rival, List.of(holder), "a rival"))
          .doesNotThrowAnyException();
    }
  }
}
