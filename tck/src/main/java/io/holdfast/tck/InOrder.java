package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;

@DisplayName("order")
interface InOrder {

  int WAITERS = 8;

  @EveryMutex(ordered = true)
  default void those_that_wait_get_in_in_the_order_of_their_arrival(Stage stage, Dress dress)
      throws Exception {
    dress.resource(stage, "line");
    List<Caller> callers = List.of(stage.caller(), stage.caller());
    List<Integer> order = new CopyOnWriteArrayList<>();
    List<Long> tokens = new CopyOnWriteArrayList<>();
    List<Running<Boolean>> waiters = new ArrayList<>();
    Hold first = dress.lock(callers.get(0).holdfast(), "line").acquire(Duration.ofSeconds(5));
    for (int i = 0; i < WAITERS; i++) {
      int number = i;
      Caller caller = callers.get(i % callers.size());
      waiters.add(
          stage.run(
              "waiter-" + i,
              () -> {
                try (Hold hold = dress.lock(caller.holdfast(), "line").acquire(LONG)) {
                  tokens.add(hold.token());
                  return order.add(number);
                }
              }));
      awaitInLine(stage, callers, number + 1);
    }
    first.release();
    for (Running<Boolean> waiter : waiters) {
      waiter.result(Duration.ofMinutes(1));
    }
    assertThat(order).isSorted().hasSize(WAITERS);
    assertThat(tokens).isSorted().doesNotHaveDuplicates();
    assertThat(tokens.get(0)).isGreaterThan(first.token());
  }

  @EveryMutex(ordered = true)
  default void u24_waiters_of_a_dead_client_are_passed_within_one_lease(Stage stage, Dress dress)
      throws Exception {
    dress.resource(stage, "line");
    Caller holder = stage.caller();
    Caller dead = stage.caller();
    Caller alive = stage.caller();
    Hold first = dress.lock(holder.holdfast(), "line").acquire(Duration.ofSeconds(5));
    for (int i = 0; i < Rule04DeadWaiters.DEAD; i++) {
      stage.run("dead-" + i, () -> dress.lock(dead.holdfast(), "line").acquire(LONG));
      awaitInLine(stage, List.of(dead), i + 1);
    }
    Running<Hold> waiter =
        stage.run("alive", () -> dress.lock(alive.holdfast(), "line").acquire(LONG));
    awaitInLine(stage, List.of(alive), 1);
    stage.kill(dead);
    first.release();
    try (Hold hold = waiter.result(stage.leaseAtMost().plusSeconds(1))) {
      hold.ensureHeld();
    }
  }

  Duration LONG = Duration.ofHours(1);

  /** Lets time pass until so many tickets of these callers have been told to wait. */
  private static void awaitInLine(Stage stage, List<Caller> callers, int count) {
    stage
        .time()
        .until(
            count + " in line",
            stage.soon(),
            () -> callers.stream().mapToLong(InOrder::tickets).sum() >= count);
  }

  private static long tickets(Caller caller) {
    return caller.engine().reached(VerbKind.ATTEMPT, "line").stream()
        .filter(seen -> seen.answer().startsWith("Waiting"))
        .map(seen -> seen.ticket().id())
        .distinct()
        .count();
  }
}
