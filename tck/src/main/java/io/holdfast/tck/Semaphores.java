package io.holdfast.tck;

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
interface Semaphores {

  Duration WAIT = Duration.ofHours(1);

  @Test
  @Needs(Need.SEMAPHORE)
  default void as_many_are_in_as_there_are_permits(Stage stage) throws Exception {
    DistributedSemaphore mine = stage.caller().holdfast().semaphore("permits", 3);
    DistributedSemaphore theirs = stage.caller().holdfast().semaphore("permits", 3);
    List<Hold> holds = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      holds.add((i % 2 == 0 ? mine : theirs).tryAcquire().orElseThrow());
    }
    TooLate.requireRefused(mine.tryAcquire(), holds, "a fourth of three");
    TooLate.requireRefused(theirs.tryAcquire(), holds, "a fourth of three");
    holds.get(1).release();
    theirs.tryAcquire().orElseThrow().release();
    mine.tryAcquire().orElseThrow().release();
    holds.forEach(Hold::release);
    stage.onlyRemain("permits", 0);
  }

  @Test
  @Needs(Need.SEMAPHORE)
  default void several_permits_are_taken_all_or_nothing(Stage stage) throws Exception {
    DistributedSemaphore semaphore = stage.caller().holdfast().semaphore("several", 5);
    try (Hold three = semaphore.permits(3).acquire(WAIT)) {
      TooLate.requireRefused(
          semaphore.permits(3).tryAcquire(), List.of(three), "three beside three of five");
      try (Hold two = semaphore.permits(2).tryAcquire().orElseThrow()) {
        two.ensureHeld();
        TooLate.requireRefused(
            semaphore.tryAcquire(), List.of(three, two), "one beside five of five");
      }
      three.ensureHeld();
    }
    semaphore.permits(5).tryAcquire().orElseThrow().release();
  }

  @Test
  @Needs(Need.SEMAPHORE)
  default void a_large_claim_is_not_passed_by_small_ones(Stage stage) throws Exception {
    Actor actor = stage.actor();
    Resource resource = stage.resource("large");
    Ticket first = actor.ticket(resource, Shape.semaphore(3));
    Ticket large = actor.ticket(resource, Shape.semaphore(3), 3);
    Ticket small = actor.ticket(resource, Shape.semaphore(3));
    actor.in(first);
    actor.out(large);
    actor.out(small);
    actor.leave(first);
    actor.out(small);
    actor.in(large);
    actor.leave(large);
    actor.in(small);
  }

  @Test
  @Needs(Need.SEMAPHORE)
  default void u59_the_permit_of_a_dead_holder_comes_back_within_one_lease(Stage stage)
      throws Exception {
    Caller dead = stage.caller();
    DistributedSemaphore alive = stage.caller().holdfast().semaphore("dead", 2);
    Hold kept = alive.acquire(WAIT);
    dead.holdfast().semaphore("dead", 2).acquire(WAIT);
    stage.kill(dead);
    assertThat(alive.tryAcquire()).isEmpty();
    Running<Hold> waits = stage.run("waits", () -> alive.acquire(WAIT));
    waits.result(stage.leaseAtMost().plusSeconds(1)).release();
    kept.ensureHeld();
    kept.release();
  }

  @Test
  @Needs(Need.SEMAPHORE)
  default void u59_more_permits_let_waiters_in_at_once(Stage stage) throws Exception {
    Caller one = stage.caller();
    Caller two = stage.caller();
    Hold first = one.holdfast().semaphore("more", 1).acquire(WAIT);
    List<Running<Hold>> waiters = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      waiters.add(stage.run("waits-" + i, () -> two.holdfast().semaphore("more", 1).acquire(WAIT)));
    }
    stage.time().until("they wait", stage.soon(), () -> two.waits("more") >= 2);
    assertThat(one.holdfast().semaphore("more", 1).resize(3)).isTrue();
    for (Running<Hold> waiter : waiters) {
      waiter.result(Duration.ofSeconds(1));
    }
    Assertions.assertThatThrownBy(() -> one.holdfast().semaphore("more", 1).tryAcquire())
        .isInstanceOf(LockRefusedException.class);
    assertThat(one.holdfast().semaphore("more", 3).tryAcquire()).isEmpty();
    assertThat(one.holdfast().semaphore("more").tryAcquire()).isEmpty();
    first.ensureHeld();
  }

  @Test
  @Needs(Need.SEMAPHORE)
  default void u59_fewer_permits_send_nobody_away(Stage stage) throws Exception {
    Actor actor = stage.actor();
    Resource resource = stage.resource("fewer");
    List<Ticket> in = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      in.add(actor.ticket(resource, Shape.semaphore(3)));
      actor.in(in.get(i));
    }
    assertThat(actor.resize(actor.ticket(resource, Shape.semaphore(1)))).isTrue();
    Ticket next = actor.ticket(resource, Shape.semaphore(1));
    for (Ticket ticket : in) {
      actor.renewed(ticket);
      actor.out(next);
      assertThat(actor.leave(ticket)).isEqualTo(Left.HOLDING);
    }
    actor.in(next);
  }

  @Test
  @Needs(Need.SEMAPHORE)
  default void there_is_nothing_to_resize_when_nobody_is_in_line(Stage stage) throws Exception {
    Actor actor = stage.actor();
    assertThat(actor.resize(actor.ticket(stage.resource("nobody"), Shape.semaphore(2)))).isFalse();
    assertThat(stage.caller().holdfast().semaphore("nobody", 2).resize(3)).isFalse();
    stage.onlyRemain("nobody", 0);
  }

  @Test
  @Needs({Need.SEMAPHORE, Need.SIGNALS})
  default void all_that_fit_are_woken(Stage stage) throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = stage.resource("all");
    Ticket holder = actor.ticket(resource, Shape.semaphore(3), 3);
    actor.in(holder);
    AtomicInteger wakes = new AtomicInteger();
    List<Ticket> waiters = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Ticket waiter = rival.ticket(resource, Shape.semaphore(3));
      AtomicInteger mine = new AtomicInteger();
      waiters.add(waiter);
      rival.out(waiter, () -> wakes.addAndGet(mine.incrementAndGet() == 1 ? 1 : 0));
    }
    actor.leave(holder);
    stage.time().until("three wakes", Rule02ArmThenLook.SIGNALLED, () -> wakes.get() == 3);
    for (Ticket waiter : waiters) {
      rival.in(waiter);
    }
  }

  @Test
  @Needs(Need.SEMAPHORE)
  default void u59_random_crashes_never_give_out_more_than_there_are(Stage stage) throws Exception {
    if (!stage.time().isManual()) {
      // A crash costs a lease: too long to wait for hundreds of times.
      return;
    }
    Actor alive = stage.actor();
    Resource resource = stage.resource("crashes");
    for (int i = 0; i < 200; i++) {
      Actor crashing = stage.actor();
      List<Ticket> kept = new ArrayList<>();
      int in = 0;
      while (true) {
        Actor actor = stage.random().nextBoolean() ? alive : crashing;
        Ticket ticket = actor.impatient(resource, Shape.semaphore(4));
        if (!(actor.attempt(ticket) instanceof Standing.Granted)) {
          break;
        }
        in++;
        if (actor == alive) {
          kept.add(ticket);
        }
      }
      assertThat(in).as("permits in round %s", i).isEqualTo(4);
      for (Ticket ticket : kept) {
        alive.leave(ticket);
      }
      crashing.dies();
      stage.time().pass(stage.leaseAtMost());
    }
    stage.onlyRemain("crashes", 0);
  }
}
