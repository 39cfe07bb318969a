package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastListener;
import io.holdfast.JavaLock;
import io.holdfast.LockRefusedException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import io.holdfast.spi.support.DurationText;
import io.holdfast.tck.TooLateError;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("tokens")
interface TokenChapter {

  Duration WAIT = Duration.ofHours(1);

  @EveryMutexKind
  default void tokens_rise_from_grant_to_grant(KitFixture fixture, MutexKind kind)
      throws Exception {
    kind.resource(fixture, "rising");
    List<ApiClient> clients = List.of(fixture.apiClient(), fixture.apiClient());
    long last = 0;
    for (int i = 0; i < 20; i++) {
      try (Hold hold = kind.lock(clients.get(i % 2).holdfast(), "rising").acquire(WAIT)) {
        assertThat(hold.token()).isGreaterThan(last);
        last = hold.token();
      }
    }
  }

  @EveryMutexKind
  default void u06_tokens_rise_after_an_expired_lease(KitFixture fixture, MutexKind kind)
      throws Exception {
    kind.resource(fixture, "expiry");
    ApiClient dead = fixture.apiClient();
    Hold lost = kind.lock(dead.holdfast(), "expiry").acquire(WAIT);
    fixture.kill(dead);
    BackgroundTask<Hold> next =
        fixture.run(
            "next", () -> kind.lock(fixture.apiClient().holdfast(), "expiry").acquire(WAIT));
    try (Hold hold = next.result(fixture.leaseAtMost().plusSeconds(1))) {
      assertThat(hold.token()).isGreaterThan(lost.token());
    }
  }

  @EveryMutexKind
  default void u06_tokens_rise_after_an_eviction(KitFixture fixture, MutexKind kind)
      throws Exception {
    if (fixture.inspector().isEmpty()) {
      return;
    }
    Resource resource = kind.resource(fixture, "evicted");
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    long token = client.expectGranted(kind.ticket(client, resource)).token();
    assertThat(fixture.inspector().get().evict(resource, token, "a test"))
        .isEqualTo(EngineInspector.Verdict.DONE);
    assertThat(rival.expectGranted(kind.ticket(rival, resource)).token()).isGreaterThan(token);
  }

  @Test
  @Requires(Capability.ANY)
  default void u41_a_hand_over_between_threads_has_a_higher_token(KitFixture fixture)
      throws Exception {
    List<HoldfastListener.Event> events = new CopyOnWriteArrayList<>();
    ApiClient client = fixture.apiClient(options -> options.withListener(events::add));
    DistributedLock lock = client.holdfast().lock("handed");
    long begin = fixture.time().now();
    Hold first = lock.acquire(WAIT);
    BackgroundTask<Hold> second = fixture.run("second", () -> lock.acquire(WAIT));
    second.awaitParked();
    HoldAssertions.requireReleased(first);
    Hold next = second.result(fixture.soon());
    assertThat(next.token()).isGreaterThan(first.token());
    assertThat(first.isHeld()).isFalse();
    assertThat(next.isHeld()).isTrue();
    boolean handedOver =
        events.stream().anyMatch(e -> e instanceof HoldfastListener.Acquired a && a.handedOver());
    Duration took = Duration.ofNanos(fixture.time().now() - begin);
    if (!handedOver && took.compareTo(fixture.lease().dividedBy(2)) > 0) {
      throw new TooLateError(
          "the hand-over came after half of the lease: " + DurationText.of(took));
    }
    assertThat(handedOver).as("handed over without the store").isTrue();
    assertThat(Token.grant(next.token())).isEqualTo(Token.grant(first.token()));
    next.release();
    fixture.awaitTickets("handed", 0);
  }

  @Test
  @Requires({Capability.ANY, Capability.INSPECTOR})
  default void reentry_keeps_the_token(KitFixture fixture) throws Exception {
    JavaLock lock = fixture.apiClient().holdfast().lock("re-entered").asJavaLock();
    lock.lock();
    try {
      long token = onlyToken(fixture, "re-entered");
      assertThat(lock.hold().token()).isEqualTo(token);
      lock.lock();
      try {
        assertThat(onlyToken(fixture, "re-entered")).isEqualTo(token);
        assertThat(lock.hold().token()).isEqualTo(token);
      } finally {
        lock.unlock();
      }
      assertThat(onlyToken(fixture, "re-entered")).isEqualTo(token);
    } finally {
      lock.unlock();
    }
    fixture.awaitTickets("re-entered", 0);
  }

  private static long onlyToken(KitFixture fixture, String name) throws Exception {
    var tickets =
        fixture.inspector().orElseThrow().show(fixture.resource(name)).orElseThrow().tickets();
    assertThat(tickets).hasSize(1);
    return tickets.get(0).token();
  }

  @EveryMutexKind(once = true)
  default void a_higher_generation_outranks_and_a_lower_one_is_refused(
      KitFixture fixture, MutexKind kind) throws Exception {
    if (kind == MutexKind.LAST_PERMIT || kind == MutexKind.WRITE_LOCK) {
      // The filler has an old generation; and a reader has the same rights as a writer here.
      return;
    }
    VerbClient client = fixture.verbClient();
    Resource resource = kind.resource(fixture, "generation");
    Ticket old = kind.ticket(client, resource);
    long before = client.expectGranted(old).token();
    client.leave(old);
    Ticket raised = client.ofGeneration(resource, kind.shape(), 1);
    long token = client.awaitGranted(raised, fixture.soon()).token();
    assertThat(token).isGreaterThan(before);
    assertThat(Token.generation(token)).isEqualTo(1);
    client.leave(raised);
    assertThat(client.expectRefused(kind.ticket(client, resource))).contains("generation");
    client.expectGranted(client.ofGeneration(resource, kind.shape(), 1));
  }

  @Test
  @Requires(Capability.ANY)
  default void a_client_of_an_old_generation_is_refused(KitFixture fixture) throws Exception {
    Holdfast raised = fixture.apiClient(options -> options.withGeneration(3)).holdfast();
    Holdfast old = fixture.apiClient().holdfast();
    try (Hold hold = raised.lock("raised").acquire(WAIT)) {
      assertThat(Token.generation(hold.token())).isEqualTo(3);
    }
    assertThatThrownBy(() -> old.lock("raised").acquire(WAIT))
        .isInstanceOf(LockRefusedException.class)
        .hasMessageContaining("generation");
  }

  @Test
  @Requires(Capability.ANY)
  default void a_generation_applies_to_one_namespace_only(KitFixture fixture) throws Exception {
    Holdfast raised = fixture.apiClient(options -> options.withGeneration(3)).holdfast();
    Holdfast elsewhere =
        fixture.apiClient(options -> options.withNamespace(options.namespace() + "-b")).holdfast();
    try (Hold hold = raised.lock("raised").acquire(WAIT)) {
      assertThat(Token.generation(hold.token())).isEqualTo(3);
    }
    try (Hold hold = elsewhere.lock("raised").acquire(WAIT)) {
      assertThat(Token.generation(hold.token())).isZero();
    }
  }
}
