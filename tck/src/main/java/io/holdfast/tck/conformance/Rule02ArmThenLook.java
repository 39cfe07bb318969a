package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Guarantee;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("rule 2, arm, then look")
interface Rule02ArmThenLook {

  Duration SIGNALLED = Duration.ofSeconds(1);
  int RACES = 100;

  @EveryMutexKind(once = true)
  default void u14_a_leave_wakes_the_waiter(KitFixture fixture, MutexKind kind) throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "wake");
    Ticket holder = kind.ticket(client, resource);
    Ticket waiter = kind.ticket(rival, resource);
    AtomicInteger wakes = new AtomicInteger();
    client.expectGranted(holder);
    Standing.Waiting waiting = rival.expectWaiting(waiter, wakes::incrementAndGet);
    if (!fixture.guarantees().contains(Guarantee.SIGNALS)) {
      assertThat(waiting.retryAfter()).as("retryAfter of a store without signals").isPositive();
      return;
    }
    client.leave(holder);
    awaitWake(fixture, wakes);
    rival.awaitGranted(waiter, fixture.soon());
  }

  @EveryMutexKind(once = true)
  default void the_latest_attempt_receives_the_wake(KitFixture fixture, MutexKind kind)
      throws Exception {
    if (!fixture.guarantees().contains(Guarantee.SIGNALS)) {
      return;
    }
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "latest");
    Ticket holder = kind.ticket(client, resource);
    Ticket waiter = kind.ticket(rival, resource);
    AtomicInteger wakes = new AtomicInteger();
    client.expectGranted(holder);
    rival.expectWaiting(waiter);
    rival.expectWaiting(waiter, wakes::incrementAndGet);
    client.leave(holder);
    awaitWake(fixture, wakes);
  }

  @EveryMutexKind(once = true)
  default void u14_no_leave_is_missed_between_looking_and_arming(KitFixture fixture, MutexKind kind)
      throws Exception {
    if (!fixture.guarantees().contains(Guarantee.SIGNALS)) {
      return;
    }
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "race");
    for (int i = 0; i < RACES; i++) {
      Ticket holder = kind.ticket(client, resource);
      Ticket waiter = kind.ticket(rival, resource);
      AtomicInteger wakes = new AtomicInteger();
      client.awaitGranted(holder, fixture.soon());
      CyclicBarrier together = new CyclicBarrier(2);
      BackgroundTask<Object> leaving =
          fixture.run(
              "leaves",
              () -> {
                together.await(10, TimeUnit.SECONDS);
                return client.leave(holder);
              });
      together.await(10, TimeUnit.SECONDS);
      Standing standing = rival.lane().attempt(waiter, wakes::incrementAndGet);
      leaving.result();
      if (standing instanceof Standing.Waiting waiting && !waiting.retryAfter().isZero()) {
        awaitWake(fixture, wakes);
      }
      rival.awaitGranted(waiter, fixture.soon());
      rival.leave(waiter);
    }
  }

  @Test
  @Requires({Capability.ANY, Capability.SIGNALS})
  default void a_wake_is_called_without_a_lock_of_the_engine(KitFixture fixture) throws Exception {
    if (fixture.traits().blocking()) {
      // Its verbs run on one thread at a time: there is no other thread to lock out.
      return;
    }
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    VerbClient third = fixture.verbClient();
    Resource resource = fixture.resource("unlocked");
    Ticket holder = MutexKind.MUTEX.ticket(client, resource);
    Ticket waiter = MutexKind.MUTEX.ticket(rival, resource);
    Ticket another = MutexKind.MUTEX.ticket(third, resource);
    AtomicBoolean looked = new AtomicBoolean();
    CountDownLatch ended = new CountDownLatch(1);
    client.expectGranted(holder);
    rival.expectWaiting(
        waiter,
        () -> {
          CountDownLatch asked = new CountDownLatch(1);
          fixture.run("asks from a wake", () -> look(third, another, asked));
          looked.set(await(asked));
          ended.countDown();
        });
    client.leave(holder);
    assertThat(await(ended)).as("the wake ended").isTrue();
    assertThat(looked).as("another thread could attempt during the wake").isTrue();
  }

  private static Standing look(VerbClient client, Ticket ticket, CountDownLatch asked)
      throws Exception {
    Standing standing = client.attempt(ticket);
    asked.countDown();
    return standing;
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void awaitWake(KitFixture fixture, AtomicInteger wakes) {
    fixture.time().until("a wake", SIGNALLED, () -> wakes.get() > 0);
  }
}
