package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.tck.VerbKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;

@DisplayName("FIFO order")
interface FifoOrderChapter {

  int WAITERS = 8;

  @EveryMutexKind(ordered = true)
  default void waiters_are_granted_in_the_order_of_arrival(KitFixture fixture, MutexKind kind)
      throws Exception {
    kind.resource(fixture, "line");
    List<ApiClient> clients = List.of(fixture.apiClient(), fixture.apiClient());
    List<Integer> order = new CopyOnWriteArrayList<>();
    List<Long> tokens = new CopyOnWriteArrayList<>();
    List<BackgroundTask<Boolean>> waiters = new ArrayList<>();
    Hold first = kind.lock(clients.get(0).holdfast(), "line").acquire(Duration.ofSeconds(5));
    for (int i = 0; i < WAITERS; i++) {
      int number = i;
      ApiClient client = clients.get(i % clients.size());
      waiters.add(
          fixture.run(
              "waiter-" + i,
              () -> {
                try (Hold hold = kind.lock(client.holdfast(), "line").acquire(LONG)) {
                  tokens.add(hold.token());
                  return order.add(number);
                }
              }));
      awaitInLine(fixture, clients, number + 1);
    }
    first.release();
    for (BackgroundTask<Boolean> waiter : waiters) {
      waiter.result(Duration.ofMinutes(1));
    }
    assertThat(order).isSorted().hasSize(WAITERS);
    assertThat(tokens).isSorted().doesNotHaveDuplicates();
    assertThat(tokens.get(0)).isGreaterThan(first.token());
  }

  @EveryMutexKind(ordered = true)
  default void u24_waiters_of_a_dead_client_are_skipped_within_one_lease(
      KitFixture fixture, MutexKind kind) throws Exception {
    kind.resource(fixture, "line");
    ApiClient holder = fixture.apiClient();
    ApiClient dead = fixture.apiClient();
    ApiClient alive = fixture.apiClient();
    Hold first = kind.lock(holder.holdfast(), "line").acquire(Duration.ofSeconds(5));
    for (int i = 0; i < Rule04DeadWaiters.DEAD; i++) {
      fixture.run("dead-" + i, () -> kind.lock(dead.holdfast(), "line").acquire(LONG));
      awaitInLine(fixture, List.of(dead), i + 1);
    }
    BackgroundTask<Hold> waiter =
        fixture.run("alive", () -> kind.lock(alive.holdfast(), "line").acquire(LONG));
    awaitInLine(fixture, List.of(alive), 1);
    fixture.kill(dead);
    first.release();
    try (Hold hold = waiter.result(fixture.leaseAtMost().plusSeconds(1))) {
      hold.ensureHeld();
    }
  }

  Duration LONG = Duration.ofHours(1);

  /** Lets time pass until this many tickets of these clients wait. */
  private static void awaitInLine(KitFixture fixture, List<ApiClient> clients, int count) {
    fixture
        .time()
        .until(
            count + " tickets in line",
            fixture.soon(),
            () -> clients.stream().mapToLong(FifoOrderChapter::tickets).sum() >= count);
  }

  private static long tickets(ApiClient client) {
    return client.engine().reached(VerbKind.ATTEMPT, "line").stream()
        .filter(seen -> seen.answer().startsWith("Waiting"))
        .map(seen -> seen.ticket().id())
        .distinct()
        .count();
  }
}
