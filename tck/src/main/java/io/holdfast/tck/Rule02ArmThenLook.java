package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

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

  @EveryMutex(once = true)
  default void u14_a_leave_wakes_the_one_that_waits(Stage stage, Dress dress) throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "wake");
    Ticket holder = dress.ticket(actor, resource);
    Ticket waiter = dress.ticket(rival, resource);
    AtomicInteger wakes = new AtomicInteger();
    actor.in(holder);
    Standing.Waiting waiting = rival.out(waiter, wakes::incrementAndGet);
    if (!stage.traits().signals()) {
      assertThat(waiting.retryAfter()).as("without signals it must say when to ask").isPositive();
      return;
    }
    actor.leave(holder);
    awaitWake(stage, wakes);
    rival.getsIn(waiter, stage.soon());
  }

  @EveryMutex(once = true)
  default void a_wake_is_heard_by_the_latest_attempt(Stage stage, Dress dress) throws Exception {
    if (!stage.traits().signals()) {
      return;
    }
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "latest");
    Ticket holder = dress.ticket(actor, resource);
    Ticket waiter = dress.ticket(rival, resource);
    AtomicInteger wakes = new AtomicInteger();
    actor.in(holder);
    rival.out(waiter);
    rival.out(waiter, wakes::incrementAndGet);
    actor.leave(holder);
    awaitWake(stage, wakes);
  }

  @EveryMutex(once = true)
  default void u14_no_leave_slips_between_looking_and_arming(Stage stage, Dress dress)
      throws Exception {
    if (!stage.traits().signals()) {
      return;
    }
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "race");
    for (int i = 0; i < RACES; i++) {
      Ticket holder = dress.ticket(actor, resource);
      Ticket waiter = dress.ticket(rival, resource);
      AtomicInteger wakes = new AtomicInteger();
      actor.getsIn(holder, stage.soon());
      CyclicBarrier together = new CyclicBarrier(2);
      Running<Object> leaving =
          stage.run(
              "leaves",
              () -> {
                together.await(10, TimeUnit.SECONDS);
                return actor.leave(holder);
              });
      together.await(10, TimeUnit.SECONDS);
      Standing standing = rival.lane().attempt(waiter, wakes::incrementAndGet);
      leaving.result();
      if (standing instanceof Standing.Waiting waiting && !waiting.retryAfter().isZero()) {
        awaitWake(stage, wakes);
      }
      rival.getsIn(waiter, stage.soon());
      rival.leave(waiter);
    }
  }

  @Test
  @Needs({Need.ANY, Need.SIGNALS})
  default void a_wake_is_called_with_no_lock_of_the_engine_held(Stage stage) throws Exception {
    if (stage.traits().blocking()) {
      // Its verbs are for one thread at a time: there is nobody whom it could lock out.
      return;
    }
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Actor third = stage.actor();
    Resource resource = stage.resource("unlocked");
    Ticket holder = Dress.MUTEX.ticket(actor, resource);
    Ticket waiter = Dress.MUTEX.ticket(rival, resource);
    Ticket another = Dress.MUTEX.ticket(third, resource);
    AtomicBoolean looked = new AtomicBoolean();
    CountDownLatch ended = new CountDownLatch(1);
    actor.in(holder);
    rival.out(
        waiter,
        () -> {
          CountDownLatch asked = new CountDownLatch(1);
          stage.run("asks from a wake", () -> look(third, another, asked));
          looked.set(await(asked));
          ended.countDown();
        });
    actor.leave(holder);
    assertThat(await(ended)).as("the wake came and ended").isTrue();
    assertThat(looked).as("another thread could ask while the wake was called").isTrue();
  }

  private static Standing look(Actor actor, Ticket ticket, CountDownLatch asked) throws Exception {
    Standing standing = actor.attempt(ticket);
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

  private static void awaitWake(Stage stage, AtomicInteger wakes) {
    stage.time().until("a wake", SIGNALLED, () -> wakes.get() > 0);
  }
}
