package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Left;
import io.holdfast.spi.Order;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("tickets that another process goes on with")
interface PortableTickets {

  @Test
  @Needs({Need.PORTABLE, Need.ANY})
  default void another_process_renews_attempts_and_leaves_a_mutex(Stage stage) throws Exception {
    checkHolderMoves(stage, Shape.mutex(Order.ANY), "any");
  }

  @Test
  @Needs({Need.PORTABLE, Need.FIFO})
  default void another_process_renews_attempts_and_leaves_a_fifo_mutex(Stage stage)
      throws Exception {
    checkHolderMoves(stage, Shape.mutex(Order.FIFO), "fifo");
  }

  @Test
  @Needs({Need.PORTABLE, Need.READ_WRITE})
  default void another_process_renews_attempts_and_leaves_a_write_lock(Stage stage)
      throws Exception {
    checkHolderMoves(stage, Shape.readWrite(), "writer");
  }

  @Test
  @Needs({Need.PORTABLE, Need.FIFO})
  default void a_waiter_keeps_its_place_in_another_process(Stage stage) throws Exception {
    Resource resource = stage.resource("moved waiter");
    Actor holder = stage.actor();
    Actor first = stage.actor();
    Actor other = stage.actor();
    Actor last = stage.actor();
    Ticket held = holder.fifo(resource);
    Ticket moved = first.fifo(resource);
    Ticket behind = last.fifo(resource);
    holder.in(held);
    first.out(moved);
    last.out(behind);
    first.engine().detach();
    other.out(moved);
    holder.leave(held);
    long token = other.getsIn(moved, stage.soon()).token();
    last.out(behind);
    assertThat(other.leave(moved)).isEqualTo(Left.HOLDING);
    assertThat(last.getsIn(behind, stage.soon()).token()).isGreaterThan(token);
  }

  @Test
  @Needs({Need.PORTABLE, Need.ANY})
  default void a_detached_engine_leaves_its_tickets_to_their_lease(Stage stage) throws Exception {
    Resource resource = stage.resource("detached");
    Actor holder = stage.actor();
    Actor rival = stage.actor();
    Ticket ticket = holder.ticket(resource, Shape.mutex(Order.ANY));
    Ticket waiter = rival.ticket(resource, Shape.mutex(Order.ANY));
    long token = holder.in(ticket).token();
    holder.engine().detach();
    rival.out(waiter);
    assertThat(rival.getsIn(waiter, stage.leaseAtMost()).token()).isGreaterThan(token);
  }

  private static void checkHolderMoves(Stage stage, Shape shape, String name) throws Exception {
    Resource resource = stage.resource(name);
    Actor holder = stage.actor();
    Actor other = stage.actor();
    Actor rival = stage.actor();
    Ticket ticket = holder.ticket(resource, shape);
    Ticket waiter = rival.ticket(resource, shape);
    long token = holder.in(ticket).token();
    rival.out(waiter);
    other.renewed(ticket);
    assertThat(other.in(ticket).token()).as("the same grant").isEqualTo(token);
    holder.engine().detach();
    rival.out(waiter);
    other.renewed(ticket);
    assertThat(other.leave(ticket)).isEqualTo(Left.HOLDING);
    assertThat(rival.getsIn(waiter, stage.soon()).token()).isGreaterThan(token);
  }
}
