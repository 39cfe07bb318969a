package io.holdfast.rig.checks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class GuardedWritesTest {
  private final HistoryBuilder script = new HistoryBuilder();

  @Nested
  class Clean {
    @Test
    void tokens_that_grow_or_stay() {
      script.claim("a", "1").writes(0, 1, 10).writes(2, 3, 10);
      script.claim("b", "2").writes(4, 5, 11);
      assertRules();
      assertThat(new GuardedWrites().check(script.history()).checked()).isEqualTo(3);
    }

    @Test
    void a_stale_write_that_was_refused() {
      script.claim("b", "2").writes(4, 5, 11);
      script.claim("a", "1").writeRefused(6, 7, 10);
      assertRules();
    }

    @Test
    void writes_that_overlap_may_have_fallen_either_way() {
      script.claim("b", "2").writes(4, 8, 11);
      script.claim("a", "1").writes(3, 9, 10);
      assertRules();
    }

    @Test
    void every_resource_counts_for_itself() {
      script.claim("b", "2").accepted(5, 11);
      script.claimOf("M", "a", "1").accepted(7, 10);
      assertRules();
    }
  }

  @Nested
  class Caught {
    @Test
    void a_late_write_of_the_holder_before() {
      script.claim("a", "1").writes(0, 1, 10).writes(6, 7, 10);
      script.claim("b", "2").writes(4, 5, 11);
      assertRules("stale write");
    }

    @Test
    void a_late_write_in_the_log_of_the_resource_itself() {
      script.claim("b", "2").accepted(5, 11);
      script.claim("a", "1").accepted(6, 10);
      assertRules("stale write");
    }

    @Test
    void a_guard_that_takes_one_token_from_two_holders() {
      script.claim("a", "1").writes(0, 1, 10);
      script.claim("b", "2").writes(4, 5, 10);
      assertRules("shared token");
    }
  }

  private void assertRules(String... broken) {
    assertThat(new GuardedWrites().check(script.history()).violations())
        .extracting(Violation::rule)
        .containsExactly(broken);
  }
}
