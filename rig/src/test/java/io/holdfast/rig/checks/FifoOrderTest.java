package io.holdfast.rig.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FifoOrderTest {
  private final HistoryBuilder script = new HistoryBuilder();

  @Nested
  class Clean {
    @Test
    void in_the_order_of_their_places() {
      script.claim("a", "1").enqueued(0, 1).granted(10, 1, 100).released(20, 21);
      script.claim("b", "2").enqueued(2, 3).granted(22, 2, 100).released(30, 31);
      script.claim("c", "3").enqueued(4, 5).granted(32, 3, 100);
      assertOvertakings(new FifoOrder(), 0);
      assertThat(new FifoOrder().check(script.history()).checked()).isEqualTo(3);
    }

    @Test
    void places_asked_for_at_the_same_time_may_fall_either_way() {
      script.claim("a", "1").enqueued(0, 5).granted(22, 2, 100);
      script.claim("b", "2").enqueued(4, 6).granted(10, 1, 100).released(20, 21);
      assertOvertakings(new FifoOrder(), 0);
    }

    @Test
    void one_that_left_died_or_was_paused_may_be_passed() {
      script.claim("a", "1").enqueued(0, 1).leaves(8);
      script.claim("b", "2").enqueued(0, 1).refused(8);
      script.claim("c", "3").enqueued(0, 1);
      script.killed("c", 8);
      script.claim("d", "4").enqueued(0, 1).granted(50, 2, 100);
      script.stalled("d", 8);
      script.claim("e", "5").enqueued(2, 3).granted(10, 1, 100);
      assertOvertakings(new FifoOrder(), 0);
    }

    @Test
    void two_that_are_let_in_together_may_hear_of_it_in_either_order() {
      script.claim("a", "1").enqueued(0, 1).granted(12, 1, 100);
      script.claim("b", "2").enqueued(2, 3).granted(10, 2, 100);
      assertOvertakings(new FifoOrder(Duration.ofMillis(20)), 0);
    }
  }

  @Nested
  class Caught {
    @Test
    void last_come_first_served() {
      script.claim("a", "1").enqueued(0, 1).granted(30, 2, 100);
      script.claim("b", "2").enqueued(2, 3).granted(10, 1, 100).released(20, 21);
      assertOvertakings(new FifoOrder(), 1);
    }

    @Test
    void one_that_is_still_waiting() {
      script.claim("a", "1").enqueued(0, 1);
      script.claim("b", "2").enqueued(2, 3).granted(10, 1, 100);
      assertOvertakings(new FifoOrder(), 1);
    }

    @Test
    void one_that_died_only_after_it_had_been_passed() {
      script.claim("a", "1").enqueued(0, 1);
      script.killed("a", 50);
      script.claim("b", "2").enqueued(2, 3).granted(10, 1, 100);
      assertOvertakings(new FifoOrder(), 1);
    }

    @Test
    void one_that_is_let_in_much_later_than_the_one_behind_it() {
      script.claim("a", "1").enqueued(0, 1).granted(60, 1, 100);
      script.claim("b", "2").enqueued(2, 3).granted(10, 2, 100);
      assertOvertakings(new FifoOrder(Duration.ofMillis(20)), 1);
    }
  }

  private void assertOvertakings(FifoOrder order, int count) {
    assertThat(order.check(script.history()).violations()).hasSize(count);
  }
}
