package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.MultiHold;
import io.holdfast.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("several locks")
interface SeveralLocks {

  Duration WAIT = Duration.ofHours(1);
  int CALLERS = 8;
  int ROUNDS = 20;

  @Test
  @Needs(Need.ANY)
  default void u42_overlapping_sets_in_any_order_never_wait_in_a_circle(Stage stage)
      throws Exception {
    List<Caller> callers = List.of(stage.caller(), stage.caller());
    List<Running<Integer>> running = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      Caller caller = callers.get(i % 2);
      long seed = stage.random().nextLong();
      running.add(stage.run("set-" + i, () -> takeSets(caller, seed)));
    }
    for (Running<Integer> each : running) {
      assertThat(each.result(Duration.ofMinutes(10))).isEqualTo(ROUNDS);
    }
    for (String name : List.of("a", "b", "c", "d")) {
      stage.onlyRemain(name, 0);
    }
  }

  private static int takeSets(Caller caller, long seed) throws Exception {
    Random random = new Random(seed);
    List<String> names = new ArrayList<>(List.of("a", "b", "c", "d", "a"));
    int done = 0;
    while (done < ROUNDS) {
      Collections.shuffle(names, random);
      try (MultiHold holds = caller.holdfast().multiLock(names.subList(0, 3)).acquire(WAIT)) {
        holds.ensureHeld();
        done++;
      }
    }
    return done;
  }

  @Test
  @Needs(Need.ANY)
  default void u42_a_set_that_is_not_free_leaves_nothing_held(Stage stage) throws Exception {
    Caller one = stage.caller();
    Caller two = stage.caller();
    try (Hold busy = one.holdfast().lock("b").acquire(WAIT)) {
      Running<Boolean> tries =
          stage.run(
              "tries",
              () ->
                  two.holdfast()
                      .multiLock("a", "b", "c")
                      .tryAcquire(Duration.ofSeconds(1))
                      .isPresent());
      assertThat(tries.result(Duration.ofSeconds(2))).isFalse();
      stage.onlyRemain("a", 0);
      stage.onlyRemain("b", 1);
      stage.onlyRemain("c", 0);
      busy.ensureHeld();
    }
  }

  @Test
  @Needs(Need.ANY)
  default void u42_a_set_has_a_token_for_each_name(Stage stage) throws Exception {
    Caller caller = stage.caller();
    MultiHold holds = caller.holdfast().multiLock("x", "y", "x").acquire(WAIT);
    assertThat(holds.tokens()).containsOnlyKeys("x", "y");
    assertThat(holds.isHeld()).isTrue();
    assertThat(holds.release()).isEqualTo(Outcome.RELEASED);
    stage.onlyRemain("x", 0);
    stage.onlyRemain("y", 0);
  }
}
