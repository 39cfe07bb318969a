package io.holdfast.redis;

import io.holdfast.redis.signals.CountingWake;
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
public final class Player implements AutoCloseable {

  public static final Duration LEASE = Duration.ofSeconds(10);
  public static final Shape MUTEX = Shape.mutex(Order.ANY);
  public static final Shape FIFO = Shape.mutex(Order.FIFO);

  private static final String NAMESPACE = "default";

  private final LockEngine engine;
  private final String name;
  private final long high;
  private final long low;
  private final AtomicLong numbers = new AtomicLong();

  public Player(String uri, String name) {
    this(Engines.open(uri), name);
  }

  public Player(LockEngine engine, String name) {
    SecureRandom random = new SecureRandom();
    this.engine = engine;
    this.name = name;
    this.high = random.nextLong();
    this.low = random.nextLong();
  }

  public LockEngine engine() {
    return engine;
  }

  public EngineInspector inspector() {
    return engine.inspector().orElseThrow();
  }

  public static Resource resource(String name) {
    return new Resource(NAMESPACE, name);
  }

  public Ticket ticket(String resource, Shape shape, int weight, int generation) {
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

  public Ticket ticket(String resource, Shape shape, int weight) {
    return ticket(resource, shape, weight, 0);
  }

  public Ticket ticket(String resource, Shape shape) {
    return ticket(resource, shape, 1, 0);
  }

  public Standing attempt(Ticket ticket) throws EngineException {
    return engine.attempt(ticket, () -> {});
  }

  /** Gets in at once, and answers its token. */
  public long in(Ticket ticket) throws EngineException {
    if (attempt(ticket) instanceof Standing.Granted granted) {
      return granted.token();
    }
    throw new AssertionError("not in: " + ticket.resource());
  }

  /** Waits, and answers what a signal sets. */
  public CountingWake out(Ticket ticket) throws EngineException {
    CountingWake rung = new CountingWake();
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
