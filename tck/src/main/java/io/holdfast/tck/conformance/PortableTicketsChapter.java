package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Left;
import io.holdfast.spi.Order;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("portable tickets")
interface PortableTicketsChapter {

  @Test
  @Requires({Capability.PORTABLE, Capability.ANY})
  default void another_process_can_renew_attempt_and_leave_a_mutex(KitFixture fixture)
      throws Exception {
    checkHolderMoves(fixture, Shape.mutex(Order.ANY), "any");
  }

  @Test
  @Requires({Capability.PORTABLE, Capability.FIFO})
  default void another_process_can_renew_attempt_and_leave_a_fifo_mutex(KitFixture fixture)
      throws Exception {
    checkHolderMoves(fixture, Shape.mutex(Order.FIFO), "fifo");
  }

  @Test
  @Requires({Capability.PORTABLE, Capability.READ_WRITE})
  default void another_process_can_renew_attempt_and_leave_a_write_lock(KitFixture fixture)
      throws Exception {
    checkHolderMoves(fixture, Shape.readWrite(), "writer");
  }

  @Test
  @Requires({Capability.PORTABLE, Capability.FIFO})
  default void a_waiter_keeps_its_place_in_another_process(KitFixture fixture) throws Exception {
    Resource resource = fixture.resource("moved waiter");
    VerbClient holder = fixture.verbClient();
    VerbClient first = fixture.verbClient();
    VerbClient other = fixture.verbClient();
    VerbClient last = fixture.verbClient();
    Ticket held = holder.fifo(resource);
    Ticket moved = first.fifo(resource);
    Ticket behind = last.fifo(resource);
    holder.expectGranted(held);
    first.expectWaiting(moved);
    last.expectWaiting(behind);
    first.engine().detach();
    other.expectWaiting(moved);
    holder.leave(held);
    long token = other.awaitGranted(moved, fixture.soon()).token();
    last.expectWaiting(behind);
    assertThat(other.leave(moved)).isEqualTo(Left.HOLDING);
    assertThat(last.awaitGranted(behind, fixture.soon()).token()).isGreaterThan(token);
  }

  @Test
  @Requires({Capability.PORTABLE, Capability.ONCE})
  default void another_process_can_mark_a_run_as_done(KitFixture fixture) throws Exception {
    Resource resource = fixture.resource("moved run");
    VerbClient runner = fixture.verbClient();
    VerbClient other = fixture.verbClient();
    Ticket ticket = runner.ticket(resource, Shape.once());
    runner.expectGranted(ticket);
    assertThat(other.settle(ticket, Duration.ofMinutes(1))).isTrue();
    assertThat(runner.settle(ticket, Duration.ofMinutes(1))).as("repeated").isTrue();
    other.expectDone(other.ticket(resource, Shape.once()));
  }

  @Test
  @Requires({Capability.PORTABLE, Capability.ONCE})
  default void another_process_can_keep_a_mutex(KitFixture fixture) throws Exception {
    Resource resource = fixture.resource("moved mutex");
    VerbClient holder = fixture.verbClient();
    VerbClient other = fixture.verbClient();
    Ticket ticket = holder.fifo(resource);
    holder.expectGranted(ticket);
    assertThat(other.settle(ticket, Duration.ofMinutes(1))).isTrue();
    holder.engine().detach();
    other.expectWaiting(other.fifo(resource));
  }

  @Test
  @Requires({Capability.PORTABLE, Capability.ANY})
  default void tickets_of_a_detached_engine_end_with_their_lease(KitFixture fixture)
      throws Exception {
    Resource resource = fixture.resource("detached");
    VerbClient holder = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Ticket ticket = holder.ticket(resource, Shape.mutex(Order.ANY));
    Ticket waiter = rival.ticket(resource, Shape.mutex(Order.ANY));
    long token = holder.expectGranted(ticket).token();
    holder.engine().detach();
    rival.expectWaiting(waiter);
    assertThat(rival.awaitGranted(waiter, fixture.leaseAtMost()).token()).isGreaterThan(token);
  }

  private static void checkHolderMoves(KitFixture fixture, Shape shape, String name)
      throws Exception {
    Resource resource = fixture.resource(name);
    VerbClient holder = fixture.verbClient();
    VerbClient other = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Ticket ticket = holder.ticket(resource, shape);
    Ticket waiter = rival.ticket(resource, shape);
    long token = holder.expectGranted(ticket).token();
    rival.expectWaiting(waiter);
    other.expectRenewed(ticket);
    assertThat(other.expectGranted(ticket).token()).as("the same grant").isEqualTo(token);
    holder.engine().detach();
    rival.expectWaiting(waiter);
    other.expectRenewed(ticket);
    assertThat(other.leave(ticket)).isEqualTo(Left.HOLDING);
    assertThat(rival.awaitGranted(waiter, fixture.soon()).token()).isGreaterThan(token);
  }
}
