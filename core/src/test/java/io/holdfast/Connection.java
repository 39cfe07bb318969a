package io.holdfast;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;

/** The connection of a lane of a {@link ScriptedEngine}; fails when it is used after its close. */
final class Connection implements LockEngine {

  private final ScriptedEngine engine;
  private final AtomicInteger closed;
  private final Queue<List<Verb>> batches;
  private volatile boolean over;

  Connection(
      ScriptedEngine engine,
      AtomicInteger opened,
      AtomicInteger closed,
      Queue<List<Verb>> batches) {
    this.engine = engine;
    this.closed = closed;
    this.batches = batches;
    opened.incrementAndGet();
  }

  @Override
  public void perform(List<Verb> batch) {
    batches.add(List.copyOf(batch));
    LockEngine.super.perform(batch);
  }

  private void requireOpen() throws EngineException {
    if (over) {
      throw new EngineException.NotDone("used after it was closed", null);
    }
  }

  @Override
  public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
    requireOpen();
    return engine.attempt(ticket, wake);
  }

  @Override
  public Renewal renew(Ticket ticket) throws EngineException {
    requireOpen();
    return engine.renew(ticket);
  }

  @Override
  public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
    requireOpen();
    return engine.leave(ticket, inDoubt);
  }

  @Override
  public boolean settle(Ticket ticket, Duration keep) throws EngineException {
    requireOpen();
    return engine.settle(ticket, keep);
  }

  @Override
  public boolean resize(Ticket ticket) throws EngineException {
    requireOpen();
    return engine.resize(ticket);
  }

  @Override
  public EngineTraits traits() {
    return engine.traits();
  }

  @Override
  public void close() {
    if (!over) {
      over = true;
      closed.incrementAndGet();
    }
  }
}
