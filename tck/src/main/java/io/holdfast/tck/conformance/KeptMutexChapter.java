package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.Outcome;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.EngineInspector.Verdict;
import io.holdfast.spi.Left;
import io.holdfast.spi.Order;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("mutexes that stay taken")
interface KeptMutexChapter {

  @Test
  @Requires(Capability.ONCE)
  default void a_kept_mutex_outlives_its_client_and_lets_nobody_in_early(KitFixture fixture)
      throws Exception {
    for (Order order : fixture.traits().orders()) {
      VerbClient client = fixture.verbClient();
      VerbClient rival = fixture.verbClient();
      Resource resource = fixture.resource("kept " + order);
      Ticket holder = client.ticket(resource, Shape.mutex(order));
      long token = client.expectGranted(holder).token();
      Duration keep = fixture.lease().multipliedBy(2);
      long before = fixture.time().now();
      assertThat(client.settle(holder, keep)).isTrue();
      client.kill();
      fixture.time().pass(fixture.leaseAtMost());
      Ticket late = rival.ticket(resource, Shape.mutex(order));
      rival.expectWaiting(rival.withoutWaiting(resource, Shape.mutex(order)));
      rival.expectWaiting(late);
      assertThat(rival.awaitGranted(late, keep).token()).isGreaterThan(token);
      assertKept(fixture.time().since(before), keep);
      rival.leave(late);
    }
  }

  @Test
  @Requires(Capability.ONCE)
  default void a_waiter_that_saw_the_holder_does_not_get_in_when_it_is_kept(KitFixture fixture)
      throws Exception {
    for (Order order : fixture.traits().orders()) {
      ApiClient mine = fixture.apiClient(options -> options.withOrder(order));
      ApiClient theirs = fixture.apiClient(options -> options.withOrder(order));
      String name = "watched " + order.name().toLowerCase(Locale.ROOT);
      Hold hold = mine.holdfast().lock(name).acquire();
      Duration keep = fixture.lease().multipliedBy(2);
      BackgroundTask<Hold> waits =
          fixture.run("waits", () -> theirs.holdfast().lock(name).acquire());
      fixture.time().until("a waiter in line", fixture.soon(), () -> theirs.waits(name) > 0);
      long before = fixture.time().now();
      HoldAssertions.requireReleased(hold, hold.release(keep));
      Hold next = waits.result(keep.plus(fixture.soon()));
      assertKept(fixture.time().since(before), keep);
      assertThat(next.token()).isGreaterThan(hold.token());
      next.release();
    }
  }

  @Test
  @Requires({Capability.ONCE, Capability.FIFO})
  default void waiters_keep_their_places_behind_a_kept_mutex(KitFixture fixture) throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = fixture.resource("places");
    Ticket holder = client.fifo(resource);
    Ticket first = rival.fifo(resource);
    Ticket second = client.fifo(resource);
    client.expectGranted(holder);
    rival.expectWaiting(first);
    client.expectWaiting(second);
    Duration keep = fixture.lease().dividedBy(2);
    assertThat(client.settle(holder, keep)).isTrue();
    client.expectWaiting(second);
    rival.expectWaiting(first);
    rival.awaitGranted(first, keep.plus(fixture.leaseAtMost()));
    client.expectWaiting(second);
    rival.leave(first);
    client.awaitGranted(second, fixture.soon());
  }

  @Test
  @Requires(Capability.ONCE)
  default void only_the_holder_can_keep_and_a_repetition_says_the_same(KitFixture fixture)
      throws Exception {
    for (Order order : fixture.traits().orders()) {
      VerbClient client = fixture.verbClient();
      VerbClient rival = fixture.verbClient();
      Resource resource = fixture.resource("only " + order);
      Shape shape = Shape.mutex(order);
      Ticket holder = client.ticket(resource, shape);
      Ticket waiter = rival.ticket(resource, shape);
      Ticket gone = client.ticket(resource, shape);
      client.expectGranted(gone);
      assertThat(client.leave(gone)).isEqualTo(Left.HOLDING);
      assertThat(client.settle(gone, fixture.lease())).as("after it has left").isFalse();
      client.expectGranted(holder);
      rival.expectWaiting(waiter);
      assertThat(rival.settle(waiter, fixture.lease())).as("a waiter").isFalse();
      client.expectRenewed(holder);
      for (int i = 0; i < Rule01Idempotent.TIMES; i++) {
        assertThat(client.settle(holder, fixture.lease())).as("settle number %s", i + 1).isTrue();
      }
      rival.expectWaiting(waiter);
      rival.leave(waiter);
    }
  }

  @Test
  @Requires(Capability.ONCE)
  default void late_verbs_of_the_holder_do_not_change_what_is_kept(KitFixture fixture)
      throws Exception {
    for (Order order : fixture.traits().orders()) {
      VerbClient client = fixture.verbClient();
      VerbClient rival = fixture.verbClient();
      Resource resource = fixture.resource("late " + order);
      Ticket holder = client.ticket(resource, Shape.mutex(order));
      Ticket waiter = rival.ticket(resource, Shape.mutex(order));
      client.expectGranted(holder);
      rival.expectWaiting(waiter);
      Duration keep = fixture.lease().dividedBy(2);
      long before = fixture.time().now();
      assertThat(client.settle(holder, keep)).isTrue();
      assertThat(client.renew(holder)).as("a late renewal").isInstanceOf(Renewal.Gone.class);
      assertThat(client.leave(holder)).as("a late leave").isEqualTo(Left.NOTHING);
      rival.awaitGranted(waiter, keep.plus(fixture.soon()));
      assertKept(fixture.time().since(before), keep);
      assertThat(client.renew(holder)).as("after its time").isInstanceOf(Renewal.Gone.class);
      rival.expectRenewed(waiter);
      rival.leave(waiter);
    }
  }

  @Test
  @Requires(Capability.ONCE)
  default void a_client_may_use_the_name_again_when_the_time_is_over(KitFixture fixture)
      throws Exception {
    Holdfast holdfast = fixture.apiClient().holdfast();
    DistributedLock lock = holdfast.lock("again");
    Duration keep = fixture.lease();
    for (int i = 0; i < 2; i++) {
      Hold hold = lock.acquire(keep.multipliedBy(4));
      HoldAssertions.requireReleased(hold, hold.release(keep));
      assertThat(hold.release()).isEqualTo(Outcome.ALREADY_RELEASED);
      assertThat(lock.tryAcquire()).isEmpty();
    }
    Hold free = lock.acquire(keep.multipliedBy(4));
    HoldAssertions.requireReleased(free);
    assertThat(lock.tryAcquire()).isPresent();
  }

  @Test
  @Requires({Capability.ONCE, Capability.INSPECTOR})
  default void operators_see_the_last_holder_and_can_evict_it(KitFixture fixture) throws Exception {
    Hold hold = fixture.apiClient().holdfast().lock("shown").acquire();
    Duration keep = fixture.lease().multipliedBy(3);
    HoldAssertions.requireReleased(hold, hold.release(keep));
    Resource resource = fixture.resource("shown");
    LineView line = fixture.inspector().orElseThrow().show(resource).orElseThrow();
    assertThat(line.tickets()).hasSize(1);
    assertThat(line.tickets().get(0).state()).isEqualTo(TicketView.State.HOLDING);
    assertThat(line.tickets().get(0).token() >> 10).isEqualTo(hold.token() >> 10);
    assertThat(fixture.inspector().orElseThrow().evict(resource, hold.token(), "is needed"))
        .isEqualTo(Verdict.DONE);
    Hold next =
        fixture.apiClient().holdfast().lock("shown").acquire(fixture.soon().multipliedBy(2));
    assertThat(next.token()).isGreaterThan(hold.token());
  }

  @Test
  default void what_cannot_be_kept_is_refused_and_stays_held(KitFixture fixture) throws Exception {
    Holdfast holdfast = fixture.apiClient().holdfast();
    if (fixture.traits().serves(Shape.readWrite())) {
      Hold writer = holdfast.readWriteLock("writer").writeLock().acquire();
      requireRefused(writer);
      requireRefused(holdfast.readWriteLock("reader").readLock().acquire());
      requireRefused(holdfast.semaphore("permits", 1).acquire());
      VerbClient client = fixture.verbClient();
      Ticket permit = client.ticket(fixture.resource("permit"), Shape.semaphore(1));
      client.expectGranted(permit);
      assertThatThrownBy(() -> client.settle(permit, fixture.lease()))
          .isInstanceOf(EngineException.Refused.class);
      client.expectRenewed(permit);
    }
    if (!fixture.traits().keeps()) {
      requireRefused(holdfast.lock("mutex").acquire());
    }
  }

  private static void requireRefused(Hold hold) {
    assertThatThrownBy(() -> hold.release(Duration.ofSeconds(1)))
        .isInstanceOf(LockRefusedException.class)
        .hasMessageContaining("the hold stands");
    assertThat(hold.isHeld()).isTrue();
    HoldAssertions.requireReleased(hold);
  }

  /** Not less, but for the rates of two clocks: the store measures with its own. */
  private static void assertKept(Duration measured, Duration keep) {
    assertThat(measured).isGreaterThanOrEqualTo(keep.minus(keep.dividedBy(100)));
  }
}
