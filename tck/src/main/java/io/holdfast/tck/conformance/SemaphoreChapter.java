package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedSemaphore;
import io.holdfast.Hold;
import io.holdfast.LockRefusedException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("semaphores")
interface SemaphoreChapter {

  Duration WAIT = Duration.ofHours(1);

  @Test
  @Requires(Capability.SEMAPHORE)
  default void a_semaphore_admits_as_many_holders_as_permits(KitFixture fixture) throws Exception {
    DistributedSemaphore mine = fixture.apiClient().holdfast().semaphore("permits", 3);
    DistributedSemaphore theirs = fixture.apiClient().holdfast().semaphore("permits", 3);
    List<Hold> holds = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      holds.add((i % 2 == 0 ? mine : theirs).tryAcquire().orElseThrow());
    }
    HoldAssertions.requireRefused(mine.tryAcquire(), holds, "a fourth permit of three");
    HoldAssertions.requireRefused(theirs.tryAcquire(), holds, "a fourth permit of three");
    holds.get(1).release();
    theirs.tryAcquire().orElseThrow().release();
    mine.tryAcquire().orElseThrow().release();
    holds.forEach(Hold::release);
    fixture.awaitTickets("permits", 0);
  }

  @Test
  @Requires(Capability.SEMAPHORE)
  default void several_permits_are_taken_all_or_nothing(KitFixture fixture) throws Exception {
    DistributedSemaphore semaphore = fixture.apiClient().holdfast().semaphore("several", 5);
    try (Hold three = semaphore.permits(3).acquire(WAIT)) {
      HoldAssertions.requireRefused(
          semaphore.permits(3).tryAcquire(), List.of(three), "three more permits of five");
      try (Hold two = semaphore.permits(2).tryAcquire().orElseThrow()) {
        two.ensureHeld();
        HoldAssertions.requireRefused(
            semaphore.tryAcquire(), List.of(three, two), "a sixth permit of five");
      }
      three.ensureHeld();
    }
    semaphore.permits(5).tryAcquire().orElseThrow().release();
  }

  @Test
  @Requires(Capability.SEMAPHORE)
  default void small_claims_do_not_overtake_a_large_one(KitFixture fixture) throws Exception {
    VerbClient client = fixture.verbClient();
    Resource resource = fixture.resource("large");
    Ticket first = client.ticket(resource, Shape.semaphore(3));
    Ticket large = client.ticket(resource, Shape.semaphore(3), 3);
    Ticket small = client.ticket(resource, Shape.semaphore(3));
    client.expectGranted(first);
    client.expectWaiting(large);
    client.expectWaiting(small);
    client.leave(first);
    client.expectWaiting(small);
    client.expectGranted(large);
    client.leave(large);
    client.expectGranted(small);
  }

  @Test
  @Requires(Capability.SEMAPHORE)
  default void u59_the_permit_of_a_dead_holder_returns_within_one_lease(KitFixture fixture)
      throws Exception {
    ApiClient dead = fixture.apiClient();
    DistributedSemaphore alive = fixture.apiClient().holdfast().semaphore("dead", 2);
    Hold kept = alive.acquire(WAIT);
    dead.holdfast().semaphore("dead", 2).acquire(WAIT);
    fixture.kill(dead);
    assertThat(alive.tryAcquire()).isEmpty();
    BackgroundTask<Hold> waits = fixture.run("waits", () -> alive.acquire(WAIT));
    waits.result(fixture.leaseAtMost().plusSeconds(1)).release();
    kept.ensureHeld();
    kept.release();
  }

  @Test
  @Requires(Capability.SEMAPHORE)
  default void u59_more_permits_admit_waiters_at_once(KitFixture fixture) throws Exception {
    ApiClient one = fixture.apiClient();
    ApiClient two = fixture.apiClient();
    Hold first = one.holdfast().semaphore("more", 1).acquire(WAIT);
    List<BackgroundTask<Hold>> waiters = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      waiters.add(
          fixture.run("waits-" + i, () -> two.holdfast().semaphore("more", 1).acquire(WAIT)));
    }
    fixture.time().until("the waiters in line", fixture.soon(), () -> two.waits("more") >= 2);
    assertThat(one.holdfast().semaphore("more", 1).resize(3)).isTrue();
    for (BackgroundTask<Hold> waiter : waiters) {
      waiter.result(Duration.ofSeconds(1));
    }
    Assertions.assertThatThrownBy(() -> one.holdfast().semaphore("more", 1).tryAcquire())
        .isInstanceOf(LockRefusedException.class);
    assertThat(one.holdfast().semaphore("more", 3).tryAcquire()).isEmpty();
    assertThat(one.holdfast().semaphore("more").tryAcquire()).isEmpty();
    first.ensureHeld();
  }

  @Test
  @Requires(Capability.SEMAPHORE)
  default void u59_fewer_permits_evict_nobody(KitFixture fixture) throws Exception {
    VerbClient client = fixture.verbClient();
    Resource resource = fixture.resource("fewer");
    List<Ticket> in = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      in.add(client.ticket(resource, Shape.semaphore(3)));
      client.expectGranted(in.get(i));
    }
    assertThat(client.resize(client.ticket(resource, Shape.semaphore(1)))).isTrue();
    Ticket next = client.ticket(resource, Shape.semaphore(1));
    for (Ticket ticket : in) {
      client.expectRenewed(ticket);
      client.expectWaiting(next);
      assertThat(client.leave(ticket)).isEqualTo(Left.HOLDING);
    }
    client.expectGranted(next);
  }

  @Test
  @Requires(Capability.SEMAPHORE)
  default void resizing_an_empty_line_returns_false(KitFixture fixture) throws Exception {
    VerbClient client = fixture.verbClient();
    assertThat(client.resize(client.ticket(fixture.resource("nobody"), Shape.semaphore(2))))
        .isFalse();
    assertThat(fixture.apiClient().holdfast().semaphore("nobody", 2).resize(3)).isFalse();
    fixture.awaitTickets("nobody", 0);
  }

  @Test
  @Requires({Capability.SEMAPHORE, Capability.SIGNALS})
  default void all_waiters_that_fit_are_woken(KitFixture fixture) throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = fixture.resource("all");
    Ticket holder = client.ticket(resource, Shape.semaphore(3), 3);
    client.expectGranted(holder);
    AtomicInteger wakes = new AtomicInteger();
    List<Ticket> waiters = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Ticket waiter = rival.ticket(resource, Shape.semaphore(3));
      AtomicInteger mine = new AtomicInteger();
      waiters.add(waiter);
      rival.expectWaiting(waiter, () -> wakes.addAndGet(mine.incrementAndGet() == 1 ? 1 : 0));
    }
    client.leave(holder);
    fixture.time().until("three wakes", Rule02ArmThenLook.SIGNALLED, () -> wakes.get() == 3);
    for (Ticket waiter : waiters) {
      rival.expectGranted(waiter);
    }
  }

  @Test
  @Requires(Capability.SEMAPHORE)
  default void u59_random_crashes_never_exceed_the_capacity(KitFixture fixture) throws Exception {
    if (!fixture.time().isManual()) {
      // A crash costs a lease: too long for hundreds of crashes in real time.
      return;
    }
    VerbClient alive = fixture.verbClient();
    Resource resource = fixture.resource("crashes");
    for (int i = 0; i < 200; i++) {
      VerbClient crashing = fixture.verbClient();
      List<Ticket> kept = new ArrayList<>();
      int in = 0;
      while (true) {
        VerbClient client = fixture.random().nextBoolean() ? alive : crashing;
        Ticket ticket = client.withoutWaiting(resource, Shape.semaphore(4));
        if (!(client.attempt(ticket) instanceof Standing.Granted)) {
          break;
        }
        in++;
        if (client == alive) {
          kept.add(ticket);
        }
      }
      assertThat(in).as("permits in round %s", i).isEqualTo(4);
      for (Ticket ticket : kept) {
        alive.leave(ticket);
      }
      crashing.kill();
      fixture.time().pass(fixture.leaseAtMost());
    }
    fixture.awaitTickets("crashes", 0);
  }
}
