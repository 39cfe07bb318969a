package io.holdfast.rig.checks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LossNoticesTest {
  private final HistoryBuilder script = new HistoryBuilder();

  LossNoticesTest() {
    // So that the history goes on long after all that the tests are about.
    script.claim("z", "end").asks(100_000);
  }

  @Nested
  class Clean {
    @Test
    void a_clean_release_without_a_notice() {
      script.claim("a", "1").granted(0, 1, 100).released(50, 51);
      assertRules();
      assertThat(new LossNotices().check(script.history()).checked()).isEqualTo(1);
    }

    @Test
    void one_notice_in_time() {
      script.claim("a", "1").granted(0, 1, 100).lost(150);
      script.claim("b", "2").granted(0, 1, 100).lost(20);
      script.claim("c", "3").granted(0, 1, 100).looks(60, 160).lost(200).releaseFoundLost(300, 301);
      assertRules();
    }

    @Test
    void a_release_without_a_known_outcome() {
      script.claim("a", "1").granted(0, 1, 100).releaseUnknown(50, 150);
      assertRules();
    }

    @Test
    void a_release_that_took_longer_than_the_hold_had_left() {
      script.claim("a", "1").granted(0, 1, 100).releaseFoundLost(80, 400).lost(399);
      assertRules();
    }

    @Test
    void a_holder_without_a_deadline_that_went_on() {
      script.claim("a", "1").grantedForever(0, 1);
      assertRules();
    }

    @Test
    void a_dead_holder_need_not_be_told() {
      script.claim("a", "1").granted(0, 1, 100);
      script.killed("a", 149);
      assertRules();
    }

    @Test
    void a_paused_holder_may_be_told_late() {
      script.claim("a", "1").granted(0, 1, 100).lost(5_000);
      script.stalled("a", 50);
      assertRules();
    }

    @Test
    void a_paused_holder_that_never_came_back_cannot_be_told() {
      script.claim("a", "1").granted(0, 1, 100);
      script.stalled("a", 50);
      assertRules();
    }

    @Test
    void the_history_may_end_before_the_notice_is_due() {
      script.claim("a", "1").granted(99_900, 1, 99_960);
      assertRules();
    }
  }

  @Nested
  class Caught {
    @Test
    void a_loss_that_nobody_was_told() {
      script.claim("a", "1").granted(0, 1, 100);
      assertRules("no notice");
    }

    @Test
    void a_loss_that_only_the_release_told() {
      script.claim("a", "1").granted(0, 1, 100).releaseFoundLost(20, 21);
      assertRules("no notice");
    }

    @Test
    void a_loss_that_nobody_was_told_after_a_pause() {
      script.claim("a", "1").granted(0, 1, 100);
      script.stalled("a", 50);
      script.claim("a", "2").asks(6_000);
      assertRules("no notice");
    }

    @Test
    void two_notices() {
      script.claim("a", "1").granted(0, 1, 100).lost(90).lost(110);
      assertRules("several notices");
    }

    @Test
    void a_late_notice() {
      script.claim("a", "1").granted(0, 1, 100).lost(151);
      assertRules("late notice");
    }

    @Test
    void a_late_notice_of_what_a_release_found() {
      script.claim("a", "1").granted(0, 1, 100).releaseFoundLost(80, 400).lost(451);
      assertRules("late notice");
    }

    @Test
    void a_late_notice_of_one_that_released_too_late() {
      script.claim("a", "1").granted(0, 1, 100).lost(151).releaseFoundLost(145, 400);
      assertRules("late notice");
    }

    @Test
    void a_notice_of_a_clean_release() {
      script.claim("a", "1").granted(0, 1, 100).released(50, 51).lost(100);
      assertRules("notice after release");
    }

    @Test
    void a_notice_without_a_hold() {
      script.claim("a", "1").asks(0).refused(50).lost(100);
      assertRules("notice without a hold");
    }

    @Test
    void a_holder_that_believes_again() {
      script.claim("a", "1").granted(0, 1, 100).lost(90).looks(95, 200);
      assertRules("loss is final");
    }
  }

  private void assertRules(String... broken) {
    assertThat(new LossNotices().check(script.history()).violations())
        .extracting(Violation::rule)
        .containsExactly(broken);
  }
}
