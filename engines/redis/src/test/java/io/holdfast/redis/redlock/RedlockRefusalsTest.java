package io.holdfast.redis.redlock;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import org.junit.jupiter.api.Test;

/** What Redlock does not have is refused in whole sentences, before any server is asked. */
class RedlockRefusalsTest {

  private static final String ADDRESS = "redlock://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3";

  @Test
  void a_shape_that_no_majority_can_serve_is_refused_with_the_reason() {
    try (Holdfast holdfast = Holdfast.connect(ADDRESS)) {
      assertThatThrownBy(() -> holdfast.semaphore("printers", 3).tryAcquire())
          .isInstanceOf(LockRefusedException.class)
          .hasMessage(
              ADDRESS
                  + " has no semaphore of 3: majorities overlap in one server, which decides who"
                  + " holds a single lock; of several permits each server would count another part,"
                  + " so that too many get in or none; asked for \"printers\"; use a store that"
                  + " has it");
    }
  }
}
