package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Order;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("rule 9, one shape")
interface Rule09OneShape {

  List<Shape> SHAPES =
      List.of(
          Shape.mutex(Order.ANY),
          Shape.mutex(Order.FIFO),
          Shape.semaphore(2),
          Shape.semaphore(3),
          Shape.readWrite(),
          Shape.once());

  int RACES = 100;

  @Test
  default void every_other_shape_is_refused_while_one_is_in_naming_both(Stage stage)
      throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    for (Shape stored : served(stage)) {
      Resource resource = stage.resource("in as " + stored);
      Ticket holder = actor.ticket(resource, stored);
      actor.in(holder);
      for (Shape asked : served(stage)) {
        if (!asked.equals(stored)) {
          assertThat(rival.refused(rival.ticket(resource, asked)))
              .contains(asked.toString())
              .contains(stored.toString());
        }
      }
      assertThat(stage.standing(resource.name()).orElse(1)).as("left behind").isEqualTo(1);
      actor.renewed(holder);
    }
  }

  @Test
  default void every_other_shape_is_refused_while_one_only_waits_in_order(Stage stage)
      throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    for (Shape stored : served(stage)) {
      if (stored.order() == Order.ANY) {
        continue;
      }
      Resource resource = stage.resource("waits as " + stored);
      Ticket holder = actor.ticket(resource, stored, stored.capacity());
      Ticket waiter = actor.ticket(resource, stored, stored.capacity());
      actor.in(holder);
      actor.out(waiter);
      actor.leave(holder);
      for (Shape asked : served(stage)) {
        if (!asked.equals(stored)) {
          rival.refused(rival.ticket(resource, asked));
        }
      }
      actor.in(waiter);
    }
  }

  @Test
  @Needs({Need.ONCE, Need.ANY})
  default void a_mark_keeps_the_shape(Stage stage) throws Exception {
    Actor actor = stage.actor();
    Resource resource = stage.resource("marked");
    Ticket runner = actor.ticket(resource, Shape.once());
    actor.in(runner);
    actor.settle(runner, stage.lease());
    actor.refused(actor.ticket(resource, Shape.mutex(Order.ANY)));
    Ticket late = actor.ticket(resource, Shape.once());
    actor.done(late);
    actor.leave(late);
  }

  @Test
  default void another_shape_may_come_when_everybody_has_left(Stage stage) throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = stage.resource("changing");
    long token = 0;
    for (Shape first : served(stage)) {
      for (Shape second : served(stage)) {
        Ticket before = actor.ticket(resource, first);
        Ticket after = rival.ticket(resource, second);
        long earlier = actor.in(before).token();
        actor.leave(before);
        long later = rival.in(after).token();
        rival.leave(after);
        assertThat(earlier).isGreaterThan(token);
        assertThat(later).as("token of a %s after a %s", second, first).isGreaterThan(earlier);
        token = later;
      }
    }
  }

  @Test
  @Needs(Need.SEMAPHORE)
  default void a_semaphore_without_a_number_takes_the_stored_one(Stage stage) throws Exception {
    Actor actor = stage.actor();
    Resource resource = stage.resource("adopted");
    Shape adopting = Shape.semaphore(Shape.ADOPT);
    actor.refused(actor.ticket(resource, adopting));
    actor.in(actor.ticket(resource, Shape.semaphore(2)));
    actor.in(actor.ticket(resource, adopting));
    actor.out(actor.ticket(resource, adopting));
    actor.refused(actor.ticket(resource, adopting, 3));
  }

  @Test
  @Needs({Need.ANY, Need.FIFO})
  default void the_shape_is_checked_in_the_same_step_as_the_grant(Stage stage) throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    for (int i = 0; i < RACES; i++) {
      Resource resource = stage.resource("race-" + i);
      Ticket mine = actor.ticket(resource, Shape.mutex(Order.ANY));
      Ticket theirs = rival.ticket(resource, Shape.mutex(Order.FIFO));
      CyclicBarrier together = new CyclicBarrier(2);
      Running<Boolean> other = stage.run("rival", () -> joins(rival, theirs, together));
      boolean joined = joins(actor, mine, together);
      assertThat(joined ^ other.result()).as("exactly one shape got in").isTrue();
      actor.leave(mine);
      rival.leave(theirs);
    }
  }

  @Test
  @Needs({Need.ANY, Need.SEMAPHORE})
  default void u34_a_program_is_told_at_once_that_the_name_is_used_otherwise(Stage stage)
      throws Exception {
    Holdfast mine = stage.caller().holdfast();
    Holdfast theirs = stage.caller().holdfast();
    try (Hold hold = mine.lock("name").acquire(Duration.ofSeconds(5))) {
      DistributedLock other = theirs.semaphore("name", 2);
      Assertions.assertThatThrownBy(() -> other.acquire(Duration.ofMinutes(5)))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining(Shape.mutex(Order.ANY).toString())
          .hasMessageContaining(Shape.semaphore(2).toString());
      hold.ensureHeld();
    }
  }

  private static List<Shape> served(Stage stage) {
    return SHAPES.stream().filter(stage.traits()::serves).toList();
  }

  private static boolean joins(Actor actor, Ticket ticket, CyclicBarrier together)
      throws Exception {
    together.await(10, TimeUnit.SECONDS);
    try {
      return actor.attempt(ticket) instanceof Standing.Granted;
    } catch (EngineException.Refused e) {
      return false;
    }
  }
}
