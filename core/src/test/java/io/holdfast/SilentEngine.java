package io.holdfast;

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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** An engine that breaks the contract: it completes no verb of a batch. */
public final class SilentEngine implements LockEngine {

  private final EngineTraits traits;
  private final AtomicInteger closed;
  private final AtomicBoolean breaks;

  public SilentEngine(EngineTraits traits) {
    this(traits, new AtomicInteger(), new AtomicBoolean());
  }

  private SilentEngine(EngineTraits traits, AtomicInteger closed, AtomicBoolean breaks) {
    this.traits = traits;
    this.closed = closed;
    this.breaks = breaks;
  }

  /** From now on it throws as well. */
  public void breakDown() {
    breaks.set(true);
  }

  public int connectionsClosed() {
    return closed.get();
  }

  @Override
  public LockEngine lane() {
    return new SilentEngine(traits, closed, breaks);
  }

  @Override
  public void perform(List<Verb> batch) {
    if (breaks.get()) {
      throw new IllegalStateException("perform broke");
    }
  }

  @Override
  public Standing attempt(Ticket ticket, Wake wake) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Renewal renew(Ticket ticket) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Left leave(Ticket ticket, boolean inDoubt) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean settle(Ticket ticket, Duration keep) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean resize(Ticket ticket) {
    throw new UnsupportedOperationException();
  }

  @Override
  public EngineTraits traits() {
    return traits;
  }

  @Override
  public void close() {
    closed.incrementAndGet();
  }
}
