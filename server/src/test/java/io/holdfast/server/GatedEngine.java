package io.holdfast.server;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import io.holdfast.spi.Wake;
import io.holdfast.tck.FaultyEngine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** An engine with lanes whose first batch waits until the test lets it go on. */
final class GatedEngine implements LockEngine {

  private final LockEngine engine;
  private final EngineTraits traits;
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);
  private volatile boolean isArmed;

  GatedEngine(LockEngine engine) {
    this.engine = engine;
    this.traits = FaultyEngine.withLanes(engine).traits();
  }

  /** Holds the next batch. */
  void hold() {
    isArmed = true;
  }

  void awaitHeld() throws InterruptedException {
    entered.await();
  }

  void letGo() {
    open.countDown();
  }

  @Override
  public void perform(List<Verb> batch) {
    if (isArmed) {
      entered.countDown();
      try {
        open.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    batch.forEach(verb -> verb.runOn(engine));
  }

  @Override
  public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
    return engine.attempt(ticket, wake);
  }

  @Override
  public Renewal renew(Ticket ticket) throws EngineException {
    return engine.renew(ticket);
  }

  @Override
  public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
    return engine.leave(ticket, inDoubt);
  }

  @Override
  public boolean settle(Ticket ticket, Duration keep) throws EngineException {
    return engine.settle(ticket, keep);
  }

  @Override
  public boolean resize(Ticket ticket) throws EngineException {
    return engine.resize(ticket);
  }

  @Override
  public EngineTraits traits() {
    return traits;
  }

  @Override
  public Optional<EngineInspector> inspector() {
    return engine.inspector();
  }

  @Override
  public void close() {
    letGo();
    engine.close();
  }
}
