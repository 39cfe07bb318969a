package io.holdfast.jdbc.faults;

import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ThreadLocalRandom;

/** What a client hands to an engine. */
final class Tickets {

  private static final Owner OWNER = new Owner("test", "localhost", 1, "main", "");

  private Tickets() {}

  /** A fresh ticket of a mutex without an order, with a lease. */
  static Ticket mutex(String name, Duration lease) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return new Ticket(
        new Ticket.Id(random.nextLong(), random.nextLong(), 1),
        new Resource("default", name),
        Shape.mutex(Order.ANY),
        1,
        lease,
        0,
        true,
        OWNER);
  }

  /** What a client says when it opens an engine. */
  static Settings settings(Duration operationTimeout) {
    return new Settings(
        Duration.ofSeconds(30),
        operationTimeout,
        0,
        System::nanoTime,
        () -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
  }
}
