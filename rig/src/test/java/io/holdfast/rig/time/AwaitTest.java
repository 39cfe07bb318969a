package io.holdfast.rig.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AwaitTest {
  private static final Duration BOUND = Duration.ofSeconds(5);

  private final AtomicInteger looks = new AtomicInteger();

  @Test
  void returns_when_the_condition_holds() {
    Await.until("the third look", BOUND, () -> looks.incrementAndGet() == 3);
    assertThat(looks).hasValue(3);
  }

  @Test
  void looks_once_even_with_no_time_at_all() {
    Await.until("nothing", Duration.ZERO, () -> true);
  }

  @Test
  void answers_the_value() {
    assertThat(Await.value("a value", BOUND, () -> Optional.of("x"))).isEqualTo("x");
  }

  @Test
  void an_exception_means_not_yet() {
    Await.until(
        "the second look",
        BOUND,
        () -> {
          if (looks.incrementAndGet() < 2) {
            throw new IOException("not yet");
          }
          return true;
        });
    assertThat(looks).hasValue(2);
  }

  @Test
  void says_what_it_waited_for_and_what_stood_in_the_way() {
    long before = System.nanoTime();
    assertThatThrownBy(
            () ->
                Await.until(
                    "the moon",
                    Duration.ofMillis(30),
                    () -> {
                      throw new IOException("clouds");
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessage("waited in vain for the moon for 30 ms")
        .hasRootCauseMessage("clouds");
    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(30_000_000);
  }

  @Test
  void an_interrupt_ends_it_and_stays_set() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Await.until("nothing", BOUND, () -> false))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }
}
