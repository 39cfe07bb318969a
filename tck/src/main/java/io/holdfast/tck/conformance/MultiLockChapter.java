package io.holdfast.tck.conformance;

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

@DisplayName("multi-locks")
interface MultiLockChapter {

  Duration WAIT = Duration.ofHours(1);
  int CALLERS = 8;
  int ROUNDS = 20;

  @Test
  @Requires(Capability.ANY)
  default void u42_overlapping_sets_in_any_order_never_deadlock(KitFixture fixture)
      throws Exception {
    List<ApiClient> clients = List.of(fixture.apiClient(), fixture.apiClient());
    List<BackgroundTask<Integer>> running = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      ApiClient client = clients.get(i % 2);
      long seed = fixture.random().nextLong();
      running.add(fixture.run("set-" + i, () -> takeSets(client, seed)));
    }
    for (BackgroundTask<Integer> each : running) {
      assertThat(each.result(Duration.ofMinutes(10))).isEqualTo(ROUNDS);
    }
    for (String name : List.of("a", "b", "c", "d")) {
      fixture.awaitTickets(name, 0);
    }
  }

  private static int takeSets(ApiClient client, long seed) throws Exception {
    Random random = new Random(seed);
    List<String> names = new ArrayList<>(List.of("a", "b", "c", "d", "a"));
    int done = 0;
    while (done < ROUNDS) {
      Collections.shuffle(names, random);
      try (MultiHold holds = client.holdfast().multiLock(names.subList(0, 3)).acquire(WAIT)) {
        holds.ensureHeld();
        done++;
      }
    }
    return done;
  }

  @Test
  @Requires(Capability.ANY)
  default void u42_a_busy_set_leaves_nothing_held(KitFixture fixture) throws Exception {
    ApiClient one = fixture.apiClient();
    ApiClient two = fixture.apiClient();
    try (Hold busy = one.holdfast().lock("b").acquire(WAIT)) {
      BackgroundTask<Boolean> tries =
          fixture.run(
              "tries",
              () ->
                  two.holdfast()
                      .multiLock("a", "b", "c")
                      .tryAcquire(Duration.ofSeconds(1))
                      .isPresent());
      assertThat(tries.result(Duration.ofSeconds(2))).isFalse();
      fixture.awaitTickets("a", 0);
      fixture.awaitTickets("b", 1);
      fixture.awaitTickets("c", 0);
      busy.ensureHeld();
    }
  }

  @Test
  @Requires(Capability.ANY)
  default void u42_a_set_has_a_token_for_each_name(KitFixture fixture) throws Exception {
    ApiClient client = fixture.apiClient();
    MultiHold holds = client.holdfast().multiLock("x", "y", "x").acquire(WAIT);
    assertThat(holds.tokens()).containsOnlyKeys("x", "y");
    assertThat(holds.isHeld()).isTrue();
    assertThat(holds.release()).isEqualTo(Outcome.RELEASED);
    fixture.awaitTickets("x", 0);
    fixture.awaitTickets("y", 0);
  }
}
