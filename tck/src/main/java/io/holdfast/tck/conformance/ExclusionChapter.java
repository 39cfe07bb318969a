package io.holdfast.tck.conformance;

import io.holdfast.Hold;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.ResourceLock;

@DisplayName("exclusion")
interface ExclusionChapter {

  int ROUNDS = 200;

  @ResourceLock(ContendedCounter.BUSY)
  @EveryMutexKind
  default void threads_of_one_client_exclude_each_other(KitFixture fixture, MutexKind kind)
      throws Exception {
    kind.resource(fixture, "counter");
    ApiClient client = fixture.apiClient();
    ContendedCounter hammer = new ContendedCounter(fixture, ROUNDS);
    hammer.add("thread", 6, kind.lock(client.holdfast(), "counter"));
    hammer.check("one client, " + kind);
    fixture.awaitTickets("counter", kind.fillerTickets());
  }

  @ResourceLock(ContendedCounter.BUSY)
  @EveryMutexKind
  default void two_clients_exclude_each_other(KitFixture fixture, MutexKind kind) throws Exception {
    kind.resource(fixture, "counter");
    ApiClient one = fixture.apiClient();
    ApiClient two = fixture.apiClient();
    ContendedCounter hammer = new ContendedCounter(fixture, ROUNDS);
    hammer.add("one", 3, kind.lock(one.holdfast(), "counter"));
    hammer.add("two", 3, kind.lock(two.holdfast(), "counter"));
    hammer.check("two clients, " + kind);
    fixture.awaitTickets("counter", kind.fillerTickets());
  }

  @ResourceLock(ContendedCounter.BUSY)
  @EveryMutexKind
  default void clients_with_lanes_exclude_each_other(KitFixture fixture, MutexKind kind)
      throws Exception {
    kind.resource(fixture, "counter");
    ApiClient one = fixture.apiClientWithLanes();
    ApiClient two = fixture.apiClientWithLanes();
    ContendedCounter hammer = new ContendedCounter(fixture, ROUNDS);
    hammer.add("one", 3, kind.lock(one.holdfast(), "counter"));
    hammer.add("two", 3, kind.lock(two.holdfast(), "counter"));
    hammer.check("two clients with lanes, " + kind);
    fixture.awaitTickets("counter", kind.fillerTickets());
  }

  @EveryMutexKind
  default void u26_tryAcquire_reports_busy(KitFixture fixture, MutexKind kind) throws Exception {
    kind.resource(fixture, "try");
    ApiClient one = fixture.apiClient();
    ApiClient two = fixture.apiClient();
    Hold held = kind.lock(one.holdfast(), "try").acquire(Duration.ofSeconds(5));
    Optional<Hold> tried = kind.lock(two.holdfast(), "try").tryAcquire();
    HoldAssertions.requireRefused(tried, List.of(held), "tryAcquire of a rival");
    Optional<Hold> local = kind.lock(one.holdfast(), "try").tryAcquire();
    HoldAssertions.requireRefused(local, List.of(held), "tryAcquire of the same client");
    fixture.awaitTickets("try", 1 + kind.fillerTickets());
    HoldAssertions.requireReleased(held);
    try (Hold hold = kind.lock(two.holdfast(), "try").tryAcquire().orElseThrow()) {
      hold.ensureHeld();
    }
  }
}
