package io.holdfast.redis;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** One client of a store, verb by verb. */
final class Player implements AutoCloseable {

  static final Duration LEASE = Duration.ofSeconds(10);
  static final Shape MUTEX = Shape.mutex(Order.ANY);
  static final Shape FIFO = Shape.mutex(Order.FIFO);

  private static final String NAMESPACE = "default";

  private final LockEngine engine;
  private final String name;
  private final long high;
  private final long low;
  private final AtomicLong numbers = new AtomicLong();

  Player(String uri, String name) {
    this(Engines.open(uri), name);
  }

  Player(LockEngine engine, String name) {
    SecureRandom random = new SecureRandom();
    this.engine = engine;
    this.name = name;
    this.high = random.nextLong();
    this.low = random.nextLong();
  }

  LockEngine engine() {
    return engine;
  }

  EngineInspector inspector() {
    return engine.inspector().orElseThrow();
  }

  static Resource resource(String name) {
    return new Resource(NAMESPACE, name);
  }

  Ticket ticket(String resource, Shape shape, int weight, int generation) {
    return new Ticket(
        new Ticket.Id(high, low, numbers.incrementAndGet()),
        resource(resource),
        shape,
        weight,
        LEASE,
        generation,
        true,
        new Owner("test", "here", 1, name, ""));
  }

  Ticket ticket(String resource, Shape shape, int weight) {
    return ticket(resource, shape, weight, 0);
  }

  Ticket ticket(String resource, Shape shape) {
    return ticket(resource, shape, 1, 0);
  }

  Standing attempt(Ticket ticket) throws EngineException {
    return engine.attempt(ticket, () -> {});
  }

  /** Gets in at once, and answers its token. */
  long in(Ticket ticket) throws EngineException {
    if (attempt(ticket) instanceof Standing.Granted granted) {
      return granted.token();
    }
    throw new AssertionError("not in: " + ticket.resource());
  }

  /** Waits, and answers what a signal sets. */
  Rung out(Ticket ticket) throws EngineException {
    Rung rung = new Rung();
    if (engine.attempt(ticket, rung) instanceof Standing.Waiting) {
      return rung;
    }
    throw new AssertionError("not waiting: " + ticket.resource());
  }

  @Override
  public void close() throws Exception {
    engine.close();
  }
}
