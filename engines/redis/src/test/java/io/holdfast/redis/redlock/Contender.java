package io.holdfast.redis.redlock;

import io.holdfast.redis.RedlockEngine;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import java.security.SecureRandom;
import java.time.Duration;

/** A client that calls verbs directly, one at a time, for tickets of its own. */
final class Contender implements AutoCloseable {

  private final String name;
  private final RedlockEngine engine;
  private final LockEngine lane;
  private final Duration lease;
  private final long secret = new SecureRandom().nextLong();
  private long tickets;

  Contender(String name, RedlockEngine engine, Duration lease) throws EngineException {
    this.name = name;
    this.engine = engine;
    this.lane = engine.lane();
    this.lease = lease;
  }

  RedlockEngine engine() {
    return engine;
  }

  Ticket ticket(String resource) {
    return new Ticket(
        new Ticket.Id(secret, secret, ++tickets),
        new Resource("default", resource),
        Shape.mutex(Order.ANY),
        1,
        lease,
        0,
        true,
        new Owner(name, "test", 1, "main", ""));
  }

  Standing attempt(Ticket ticket) throws EngineException {
    return lane.attempt(ticket, () -> {});
  }

  /** Attempts and must be in; answers the token. */
  long in(Ticket ticket) throws EngineException {
    Standing standing = attempt(ticket);
    if (standing instanceof Standing.Granted granted) {
      return granted.token();
    }
    throw new AssertionError(name + " should be in, and is " + standing);
  }

  /** In and out again; answers the ballot. */
  long passThrough(String resource) throws EngineException {
    Ticket ticket = ticket(resource);
    long token = in(ticket);
    leave(ticket);
    return Token.counter(token);
  }

  Renewal renew(Ticket ticket) throws EngineException {
    return lane.renew(ticket);
  }

  Left leave(Ticket ticket) throws EngineException {
    return lane.leave(ticket, false);
  }

  @Override
  public void close() {
    lane.close();
    engine.close();
  }
}
