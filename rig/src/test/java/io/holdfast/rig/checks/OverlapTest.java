package io.holdfast.rig.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class OverlapTest {
  private final HistoryBuilder script = new HistoryBuilder();

  @Nested
  class Clean {
    @Test
    void one_after_another() {
      script.claim("a", "1").asks(0).granted(1, 10, 100).released(20, 21);
      script.claim("b", "2").asks(5).granted(22, 11, 100).released(30, 31);
      assertClean(new Overlap(), 2);
    }

    @Test
    void belief_ends_where_the_release_begins() {
      script.claim("a", "1").granted(1, 10, 100).released(20, 40);
      script.claim("b", "2").granted(20, 11, 100);
      assertClean(new Overlap(), 2);
    }

    @Test
    void belief_ends_at_the_deadline_even_of_a_release_that_comes_later() {
      script.claim("a", "1").granted(1, 10, 50).releaseFoundLost(200, 201);
      script.claim("b", "2").granted(50, 11, 100);
      assertClean(new Overlap(), 2);
    }

    @Test
    void belief_ends_with_the_loss_notice_and_with_the_process() {
      script.claim("a", "1").granted(1, 10, 1000).lost(20);
      script.claim("b", "2").granted(25, 11, 1000);
      script.killed("b", 40);
      script.claim("c", "3").granted(41, 12, 1000);
      assertClean(new Overlap(), 3);
    }

    @Test
    void a_grant_that_was_over_before_it_came_is_no_belief() {
      script.claim("a", "1").granted(1, 10, 100);
      script.claim("b", "2").granted(60, 9, 55);
      assertClean(new Overlap(), 1);
    }

    @Test
    void other_locks_do_not_matter() {
      script.claim("a", "1").granted(1, 10, 100);
      script.claimOf("M", "b", "1").granted(2, 10, 100);
      assertClean(new Overlap(), 2);
    }

    @Test
    void as_many_as_the_capacity() {
      script.claim("a", "1", 2).granted(1, 10, 100);
      script.claim("b", "2").granted(2, 11, 100);
      script.claim("c", "3").granted(100, 12, 200);
      assertClean(new Overlap(Capacities.of(Map.of("L", 3))), 3);
    }
  }

  @Nested
  class Caught {
    @Test
    void a_lock_that_always_grants() {
      script.claim("a", "1").granted(1, 10, 100).released(50, 51);
      script.claim("b", "2").granted(20, 11, 100).released(60, 61);
      CheckResult verdict = new Overlap().check(script.history());
      assertThat(verdict.violations()).extracting(Violation::rule).containsExactly("overlap");
      assertThatThrownBy(() -> verdict.requireClean(1))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("b/2")
          .hasMessageContaining("a/1")
          .hasMessageContaining("together for +30.000 ms")
          .hasMessageContaining("+19.000 ms  b ACQUIRE OK \"L\" hold=2 token=11");
    }

    @Test
    void a_moment_too_early() {
      script.claim("a", "1").granted(1, 10, 100);
      script.claim("b", "2").granted(99, 11, 200);
      assertCaught(new Overlap());
    }

    @Test
    void a_renewed_hold_that_a_rival_got() {
      script.claim("a", "1").granted(1, 10, 100).looks(90, 190);
      script.claim("b", "2").granted(150, 11, 250);
      assertCaught(new Overlap());
    }

    @Test
    void a_holder_that_still_believes_past_its_deadline() {
      script.claim("a", "1").granted(1, 10, 100).looks(150, 150).looks(170, 250);
      script.claim("b", "2").granted(120, 11, 220);
      assertCaught(new Overlap());
    }

    @Test
    void a_holder_without_a_deadline_that_hears_of_its_loss_too_late() {
      script.claim("a", "1").grantedForever(1, 10).lost(200);
      script.claim("b", "2").grantedForever(150, 11);
      assertCaught(new Overlap());
    }

    @Test
    void a_reader_beside_a_writer() {
      int all = 1 << 20;
      script.claim("a", "1").granted(1, 10, 100);
      script.claim("b", "2").granted(2, 11, 100);
      script.claim("c", "3", all).granted(50, 12, 150);
      assertCaught(new Overlap(Capacities.of(Map.of("L", all))));
    }

    @Test
    void one_more_than_the_capacity() {
      for (int i = 0; i < 4; i++) {
        script.claim("p" + i, "h" + i).granted(i, 10 + i, 100);
      }
      assertCaught(new Overlap(Capacities.of(Map.of("L", 3))));
    }
  }

  @Test
  void agrees_with_the_plain_definition_on_random_histories() {
    Random random = new Random(1);
    int clean = 0;
    for (int round = 0; round < 2_000; round++) {
      HistoryBuilder history = new HistoryBuilder();
      int[][] spans = new int[4][];
      for (int i = 0; i < spans.length; i++) {
        int from = random.nextInt(40);
        spans[i] = new int[] {from, from + 1 + random.nextInt(20), 1 + random.nextInt(2)};
        history.claim("p" + i, "h" + i, spans[i][2]).granted(from, i, spans[i][1]);
      }
      Overlap overlap = new Overlap(Capacities.of(Map.of("L", 2)));
      boolean expected = fitsAtEveryInstant(spans, 2);
      assertThat(overlap.check(history.history()).isClean())
          .as("round %d", round)
          .isEqualTo(expected);
      clean += expected ? 1 : 0;
    }
    assertThat(clean).isBetween(200, 1_800);
  }

  private static boolean fitsAtEveryInstant(int[][] spans, int capacity) {
    for (int now = 0; now < 60; now++) {
      int in = 0;
      for (int[] span : spans) {
        in += span[0] <= now && now < span[1] ? span[2] : 0;
      }
      if (in > capacity) {
        return false;
      }
    }
    return true;
  }

  private void assertClean(Overlap overlap, long checked) {
    CheckResult verdict = overlap.check(script.history());
    assertThat(verdict.violations()).isEmpty();
    assertThat(verdict.checked()).isEqualTo(checked);
  }

  private void assertCaught(Overlap overlap) {
    assertThat(overlap.check(script.history()).violations()).hasSize(1);
  }
}
