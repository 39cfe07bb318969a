package io.holdfast.tck.conformance;

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
  default void other_shapes_are_refused_while_a_holder_is_in_line_and_both_are_named(
      KitFixture fixture) throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    for (Shape stored : served(fixture)) {
      Resource resource = fixture.resource("in as " + stored);
      Ticket holder = client.ticket(resource, stored);
      client.expectGranted(holder);
      for (Shape asked : served(fixture)) {
        if (!asked.equals(stored)) {
          assertThat(rival.expectRefused(rival.ticket(resource, asked)))
              .contains(asked.toString())
              .contains(stored.toString());
        }
      }
      assertThat(fixture.ticketCount(resource.name()).orElse(1)).as("left behind").isEqualTo(1);
      client.expectRenewed(holder);
    }
  }

  @Test
  default void other_shapes_are_refused_while_a_fifo_waiter_is_in_line(KitFixture fixture)
      throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    for (Shape stored : served(fixture)) {
      if (stored.order() == Order.ANY) {
        continue;
      }
      Resource resource = fixture.resource("waits as " + stored);
      Ticket holder = client.ticket(resource, stored, stored.capacity());
      Ticket waiter = client.ticket(resource, stored, stored.capacity());
      client.expectGranted(holder);
      client.expectWaiting(waiter);
      client.leave(holder);
      for (Shape asked : served(fixture)) {
        if (!asked.equals(stored)) {
          rival.expectRefused(rival.ticket(resource, asked));
        }
      }
      client.expectGranted(waiter);
    }
  }

  @Test
  @Requires({Capability.ONCE, Capability.ANY})
  default void a_mark_keeps_the_shape(KitFixture fixture) throws Exception {
    VerbClient client = fixture.verbClient();
    Resource resource = fixture.resource("marked");
    Ticket runner = client.ticket(resource, Shape.once());
    client.expectGranted(runner);
    client.settle(runner, fixture.lease());
    client.expectRefused(client.ticket(resource, Shape.mutex(Order.ANY)));
    Ticket late = client.ticket(resource, Shape.once());
    client.expectDone(late);
    client.leave(late);
  }

  @Test
  default void another_shape_can_join_an_empty_line(KitFixture fixture) throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = fixture.resource("changing");
    long token = 0;
    for (Shape first : served(fixture)) {
      for (Shape second : served(fixture)) {
        Ticket before = client.ticket(resource, first);
        Ticket after = rival.ticket(resource, second);
        long earlier = client.expectGranted(before).token();
        client.leave(before);
        long later = rival.expectGranted(after).token();
        rival.leave(after);
        assertThat(earlier).isGreaterThan(token);
        assertThat(later).as("token of a %s after a %s", second, first).isGreaterThan(earlier);
        token = later;
      }
    }
  }

  @Test
  @Requires(Capability.SEMAPHORE)
  default void a_semaphore_without_a_capacity_adopts_the_stored_one(KitFixture fixture)
      throws Exception {
    VerbClient client = fixture.verbClient();
    Resource resource = fixture.resource("adopted");
    Shape adopting = Shape.semaphore(Shape.ADOPT);
    client.expectRefused(client.ticket(resource, adopting));
    client.expectGranted(client.ticket(resource, Shape.semaphore(2)));
    client.expectGranted(client.ticket(resource, adopting));
    client.expectWaiting(client.ticket(resource, adopting));
    client.expectRefused(client.ticket(resource, adopting, 3));
  }

  @Test
  @Requires({Capability.ANY, Capability.FIFO})
  default void the_shape_is_checked_in_the_same_step_as_the_grant(KitFixture fixture)
      throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    for (int i = 0; i < RACES; i++) {
      Resource resource = fixture.resource("race-" + i);
      Ticket mine = client.ticket(resource, Shape.mutex(Order.ANY));
      Ticket theirs = rival.ticket(resource, Shape.mutex(Order.FIFO));
      CyclicBarrier together = new CyclicBarrier(2);
      BackgroundTask<Boolean> other = fixture.run("rival", () -> joins(rival, theirs, together));
      boolean joined = joins(client, mine, together);
      assertThat(joined ^ other.result()).as("exactly one shape got in").isTrue();
      client.leave(mine);
      rival.leave(theirs);
    }
  }

  @Test
  @Requires({Capability.ANY, Capability.SEMAPHORE})
  default void u34_a_shape_conflict_is_reported_at_once(KitFixture fixture) throws Exception {
    Holdfast mine = fixture.apiClient().holdfast();
    Holdfast theirs = fixture.apiClient().holdfast();
    try (Hold hold = mine.lock("name").acquire(Duration.ofSeconds(5))) {
      DistributedLock other = theirs.semaphore("name", 2);
      Assertions.assertThatThrownBy(() -> other.acquire(Duration.ofMinutes(5)))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining(Shape.mutex(Order.ANY).toString())
          .hasMessageContaining(Shape.semaphore(2).toString());
      hold.ensureHeld();
    }
  }

  private static List<Shape> served(KitFixture fixture) {
    return SHAPES.stream().filter(fixture.traits()::serves).toList();
  }

  private static boolean joins(VerbClient client, Ticket ticket, CyclicBarrier together)
      throws Exception {
    together.await(10, TimeUnit.SECONDS);
    try {
      return client.attempt(ticket) instanceof Standing.Granted;
    } catch (EngineException.Refused e) {
      return false;
    }
  }
}
