package io.holdfast.remote;

import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Tickets of FIFO mutexes, for tests that call verbs. */
final class Tickets {

  /** For attempts that are repeated anyway. */
  static final Wake IGNORED = () -> {};

  private static final AtomicLong NUMBERS = new AtomicLong();

  private Tickets() {}

  static Ticket of(String name) {
    return new Ticket(
        new Ticket.Id(11, System.nanoTime(), NUMBERS.incrementAndGet()),
        new Resource("default", name),
        Shape.mutex(Order.FIFO),
        1,
        Duration.ofSeconds(20),
        0,
        true,
        new Owner("test", "host", 1, "main", ""));
  }
}
