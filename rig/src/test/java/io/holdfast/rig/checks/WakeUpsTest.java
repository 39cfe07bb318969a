package io.holdfast.rig.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WakeUpsTest {
  private static final Duration BOUND = Duration.ofMillis(50);

  private final HistoryBuilder script = new HistoryBuilder();

  @Nested
  class Clean {
    @Test
    void measures_from_the_release_to_the_next_grant() {
      for (int i = 0; i < 100; i++) {
        // The i-th hand-over takes i milliseconds; each waiter is in line before the release.
        script
            .claim("p" + i, "h" + i)
            .asks(i * 1_000L)
            .granted(i * 1_000L + 500 + i, i, Long.MAX_VALUE / 1_000_000)
            .released(i * 1_000L + 1_500, i * 1_000L + 1_501);
      }
      WakeUps wakeUps = WakeUps.of(script.history());
      assertThat(wakeUps.count()).isEqualTo(99);
      assertThat(wakeUps.p50()).isEqualTo(Duration.ofMillis(50));
      assertThat(wakeUps.p99()).isEqualTo(Duration.ofMillis(99));
      assertThat(wakeUps.max()).isEqualTo(Duration.ofMillis(99));
      assertThat(wakeUps)
          .hasToString("99 wake-ups: p50 50.00 ms, p99 99.00 ms, max 99.00 ms; 0 not woken");
      assertThat(wakeUps.within(Duration.ofMillis(99)).violations()).isEmpty();
      assertThat(wakeUps.within(Duration.ofMillis(97)).violations()).hasSize(2);
    }

    @Test
    void a_release_with_nobody_in_line_does_not_count() {
      script.claim("a", "1").asks(0).granted(1, 1, 100).released(10, 11);
      script.claim("b", "2").asks(12).granted(90, 2, 100);
      assertGaps(0, 0);
    }

    @Test
    void a_newcomer_may_take_what_the_waiter_did_not() {
      script.claim("a", "1").asks(0).granted(1, 1, 100).released(10, 11);
      script.claim("b", "2").asks(5).granted(200, 3, 300);
      script.claim("c", "3").asks(12).granted(13, 2, 100).released(150, 151);
      assertGaps(2, 0);
    }

    @Test
    void a_waiter_that_died_or_was_paused_need_not_wake() {
      script.claim("a", "1").asks(0).granted(1, 1, 100).released(10, 11);
      script.claim("b", "2").asks(5);
      script.killed("b", 12);
      script.claim("c", "3").asks(5).granted(2_000, 2, 3_000);
      script.stalled("c", 8);
      assertGaps(0, 0);
    }

    @Test
    void a_lost_hold_is_no_release() {
      script.claim("a", "1").asks(0).granted(1, 1, 100).lost(100).releaseFoundLost(110, 111);
      script.claim("b", "2").asks(5).granted(300, 2, 400);
      assertGaps(0, 0);
    }
  }

  @Nested
  class Caught {
    @Test
    void a_waiter_that_slept_on() {
      script.claim("a", "1").asks(0).granted(1, 1, 100).released(10, 11);
      script.claim("b", "2").asks(5).granted(61, 2, 200);
      assertGaps(1, 1);
    }

    @Test
    void a_waiter_that_timed_out_beside_a_free_lock() {
      script.claim("a", "1").asks(0).granted(1, 1, 100).released(10, 11);
      script.claim("b", "2").asks(5).refused(500);
      script.claim("c", "3").asks(1_000).granted(1_001, 2, 2_000);
      assertGaps(0, 1);
    }

    @Test
    void a_waiter_that_was_never_woken() {
      script.claim("a", "1").asks(0).granted(1, 1, 100).released(10, 11);
      script.claim("b", "2").asks(5);
      script.claimOf("M", "c", "3").asks(1_000).granted(1_001, 2, 2_000);
      assertGaps(0, 1);
    }
  }

  private void assertGaps(int woken, int violations) {
    WakeUps wakeUps = WakeUps.of(script.history());
    assertThat(wakeUps.count()).isEqualTo(woken);
    assertThat(wakeUps.within(BOUND).violations()).hasSize(violations);
  }
}
