package io.holdfast.tck.conformance;

import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.Optional;

/** An honest engine passed on as it is; a planted fault overrides one verb. */
public class ForwardingEngine implements LockEngine {

  final LockEngine honest;

  public ForwardingEngine(LockEngine honest) {
    this.honest = honest;
  }

  /** The same engine for one more client, which does not close it. */
  public static LockEngine thatStaysOpen(LockEngine engine) {
    return new ForwardingEngine(engine) {
      @Override
      public void close() {}
    };
  }

  @Override
  public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
    return honest.attempt(ticket, wake);
  }

  @Override
  public Renewal renew(Ticket ticket) throws EngineException {
    return honest.renew(ticket);
  }

  @Override
  public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
    return honest.leave(ticket, inDoubt);
  }

  @Override
  public boolean settle(Ticket ticket, Duration keep) throws EngineException {
    return honest.settle(ticket, keep);
  }

  @Override
  public boolean resize(Ticket ticket) throws EngineException {
    return honest.resize(ticket);
  }

  @Override
  public EngineTraits traits() {
    return honest.traits();
  }

  @Override
  public Optional<Counter> counter() {
    return honest.counter();
  }

  @Override
  public Optional<EngineInspector> inspector() {
    return honest.inspector();
  }

  @Override
  public void reportChangesTo(HoldSignal signal) {
    honest.reportChangesTo(signal);
  }

  @Override
  public void close() {
    honest.close();
  }
}
