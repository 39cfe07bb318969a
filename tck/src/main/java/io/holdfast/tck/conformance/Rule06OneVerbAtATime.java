package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.ResourceLock;

@DisplayName(
    "rule 6, one verb per ticket at a time, and rule 10, one attempt per resource and batch")
interface Rule06OneVerbAtATime {

  int THREADS = 6;
  int ROUNDS = 20;

  /** Enough where a store without signals takes long to hand a lock over. */
  int FEWEST_ROUNDS = 5;

  Duration LONG_ENOUGH = Duration.ofSeconds(5);

  @ResourceLock(ContendedCounter.BUSY)
  @EveryMutexKind
  default void the_runtime_keeps_the_rules_that_engines_rely_on(KitFixture fixture, MutexKind kind)
      throws Exception {
    kind.resource(fixture, "busy");
    List<ApiClient> clients = List.of(fixture.apiClient(), fixture.apiClientWithLanes());
    List<BackgroundTask<Integer>> running = new ArrayList<>();
    long begin = fixture.time().now();
    for (int i = 0; i < THREADS; i++) {
      ApiClient client = clients.get(i % clients.size());
      running.add(fixture.run("busy-" + i, () -> lockAndUnlock(fixture, client, kind, begin)));
    }
    for (BackgroundTask<Integer> each : running) {
      assertThat(each.result(Duration.ofSeconds(60))).isBetween(FEWEST_ROUNDS, ROUNDS);
    }
    for (ApiClient client : clients) {
      assertThat(client.engine().breaches()).isEmpty();
      assertThat(client.engine().reached()).as("verbs that reached the store").isNotEmpty();
    }
  }

  private static int lockAndUnlock(KitFixture fixture, ApiClient client, MutexKind kind, long begin)
      throws Exception {
    int done = 0;
    while (done < FEWEST_ROUNDS
        || (done < ROUNDS && fixture.time().since(begin).compareTo(LONG_ENOUGH) < 0)) {
      try (Hold hold = kind.lock(client.holdfast(), "busy").acquire(Duration.ofMinutes(5))) {
        hold.ensureHeld();
        done++;
      }
    }
    return done;
  }
}
