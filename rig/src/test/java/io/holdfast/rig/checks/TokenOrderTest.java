package io.holdfast.rig.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TokenOrderTest {
  private static final TokenOrder BY_GRANT = TokenOrder.byGrant(Capacities.mutexes());
  private static final TokenOrder BY_REQUEST = TokenOrder.byRequest(Capacities.mutexes());
  private static final Capacities SHARED = Capacities.of(Map.of("L", 10));

  private final HistoryBuilder script = new HistoryBuilder();

  @Nested
  class Clean {
    @Test
    void growing_tokens() {
      script.claim("a", "1").asks(0).granted(1, 10, 100).released(20, 21);
      script.claim("b", "2").asks(5).granted(22, 11, 100).released(30, 31);
      script.claim("a", "3").asks(40).granted(41, 5_000, 100);
      assertRules(BY_GRANT);
      assertRules(BY_REQUEST);
      assertThat(BY_GRANT.check(script.history()).checked()).isEqualTo(3);
    }

    @Test
    void every_lock_counts_for_itself() {
      script.claim("a", "1").granted(1, 10, 100);
      script.claimOf("M", "a", "1").granted(2, 9, 100);
      assertRules(BY_GRANT);
    }

    @Test
    void a_repeated_grant_with_the_same_token() {
      script.claim("a", "1").granted(1, 10, 100).granted(5, 10, 105);
      assertRules(BY_GRANT);
    }

    @Test
    void a_late_reply_that_was_over_before_it_came() {
      script.claim("a", "1").asks(0).granted(20, 11, 100);
      script.claim("b", "2").asks(0).granted(30, 10, 25);
      assertRules(BY_GRANT);
    }

    @Test
    void requests_that_overlap_say_nothing_by_request() {
      script.claim("a", "1").asks(0).granted(20, 11, 100);
      script.claim("b", "2").asks(19).granted(30, 10, 100);
      assertRules(BY_REQUEST);
    }

    @Test
    void holders_that_are_in_together() {
      script.claim("a", "1").granted(1, 12, 100);
      script.claim("b", "2").granted(2, 11, 100);
      script.claim("c", "3").granted(3, 11, 100);
      script.claim("d", "4", 10).granted(200, 13, 300);
      assertRules(TokenOrder.byGrant(SHARED));
    }
  }

  @Nested
  class Caught {
    @Test
    void a_counter_that_started_again() {
      script.claim("a", "1").asks(0).granted(1, 10, 100).released(20, 21);
      script.claim("b", "2").asks(30).granted(31, 1, 100);
      assertRules(BY_GRANT, "token order");
      assertRules(BY_REQUEST, "token order");
    }

    @Test
    void a_waiter_that_got_a_smaller_token_than_the_holder_before() {
      script.claim("b", "2").asks(0).granted(31, 9, 100);
      script.claim("a", "1").asks(0).granted(1, 10, 100).released(20, 21);
      assertRules(BY_GRANT, "token order");
    }

    @Test
    void a_token_that_was_given_twice() {
      script.claim("a", "1").asks(0).granted(1, 10, 100);
      script.claim("b", "2").asks(2).granted(31, 10, 100);
      assertRules(BY_REQUEST, "unique token");
    }

    @Test
    void a_token_that_was_given_twice_even_if_one_came_too_late() {
      script.claim("a", "1").asks(0).granted(1, 10, 100);
      script.claim("b", "2").asks(2).granted(31, 10, 20);
      assertRules(BY_GRANT, "unique token");
    }

    @Test
    void a_claim_that_counted_twice() {
      script.claim("a", "1").granted(1, 10, 100).granted(5, 11, 105);
      assertRules(BY_GRANT, "one token a claim");
    }

    @Test
    void a_writer_below_the_readers_before_it() {
      script.claim("a", "1").granted(1, 12, 10);
      script.claim("b", "2").granted(2, 15, 10);
      script.claim("c", "3", 10).granted(50, 13, 100);
      assertRules(TokenOrder.byGrant(SHARED), "token order");
    }

    @Test
    void a_reader_below_the_writer_before_it() {
      script.claim("c", "3", 10).granted(1, 13, 10);
      script.claim("a", "1").granted(50, 12, 100);
      assertRules(TokenOrder.byGrant(SHARED), "token order");
    }
  }

  @Test
  void agrees_with_the_plain_definition_on_random_histories() {
    Random random = new Random(1);
    int clean = 0;
    for (int round = 0; round < 2_000; round++) {
      HistoryBuilder history = new HistoryBuilder();
      List<long[]> grants = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        long asked = random.nextInt(50);
        long[] grant = {
          asked, asked + 1 + random.nextInt(15), (asked + random.nextInt(20)) * 10 + i
        };
        grants.add(grant);
        history.claim("p" + i, "h" + i).asks(grant[0]).granted(grant[1], grant[2], 1_000);
      }
      boolean expected = inOrder(grants);
      assertThat(BY_REQUEST.check(history.history()).isClean())
          .as("round %d", round)
          .isEqualTo(expected);
      clean += expected ? 1 : 0;
    }
    assertThat(clean).isBetween(200, 1_800);
  }

  private static boolean inOrder(List<long[]> grants) {
    return grants.stream()
        .noneMatch(a -> grants.stream().anyMatch(b -> a[1] < b[0] && a[2] > b[2]));
  }

  private void assertRules(TokenOrder order, String... broken) {
    assertThat(order.check(script.history()).violations())
        .extracting(Violation::rule)
        .containsExactly(broken);
  }
}
