package io.holdfast.zookeeper.verbs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.zookeeper.Engines;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RefusedVerbsTest {

  /** Nothing listens there. */
  private static final String NOWHERE = "zookeeper://127.0.0.1:1";

  private static Ticket ticket(Shape shape) {
    return new Ticket(
        new Ticket.Id(1, 2, 3),
        new Resource("default", "door"),
        shape,
        1,
        Engines.LEASE,
        0,
        true,
        new Owner("", "here", 1, "test", ""));
  }

  @Test
  void what_the_store_can_never_do_is_refused_without_a_server() {
    try (LockEngine engine = Engines.open(NOWHERE)) {
      assertThatThrownBy(() -> engine.resize(ticket(Shape.mutex(Order.FIFO))))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("only semaphores can be resized");
      assertThatThrownBy(() -> engine.resize(ticket(Shape.semaphore(Shape.ADOPT))))
          .isInstanceOf(EngineException.Refused.class);
      assertThatThrownBy(() -> engine.settle(ticket(Shape.semaphore(2)), Duration.ofSeconds(1)))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("only once has marks");
    }
  }
}
