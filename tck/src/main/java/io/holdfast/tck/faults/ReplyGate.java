package io.holdfast.tck.faults;

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
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** An engine whose replies are delayed while a gate is shut. Its verbs are executed. */
final class ReplyGate implements LockEngine {

  /** The gate of all lanes of one client. */
  static final class Gate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean shut;

    void shut(boolean now) {
      lock.lock();
      try {
        shut = now;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    private void pass(ReplyGate lane) throws EngineException {
      lock.lock();
      try {
        while (shut && !lane.closed) {
          changed.awaitUninterruptibly();
        }
      } finally {
        lock.unlock();
      }
      if (lane.closed) {
        throw new EngineException.Unknown("the lane was closed before the reply came", null);
      }
    }
  }

  private final LockEngine inner;
  private final Gate gate;
  private final boolean isLane;
  private volatile boolean closed;

  private ReplyGate(LockEngine inner, Gate gate, boolean isLane) {
    this.inner = inner;
    this.gate = gate;
    this.isLane = isLane;
  }

  static ReplyGate over(LockEngine engine, Gate gate) {
    return new ReplyGate(engine, gate, false);
  }

  private <T> T late(T reply) throws EngineException {
    gate.pass(this);
    return reply;
  }

  @Override
  public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
    return late(inner.attempt(ticket, wake));
  }

  @Override
  public Renewal renew(Ticket ticket) throws EngineException {
    return late(inner.renew(ticket));
  }

  @Override
  public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
    return late(inner.leave(ticket, inDoubt));
  }

  @Override
  public boolean settle(Ticket ticket, Duration keep) throws EngineException {
    return late(inner.settle(ticket, keep));
  }

  @Override
  public boolean resize(Ticket ticket) throws EngineException {
    return late(inner.resize(ticket));
  }

  @Override
  public EngineTraits traits() {
    return inner.traits();
  }

  @Override
  public LockEngine lane() throws EngineException {
    return new ReplyGate(inner.lane(), gate, true);
  }

  @Override
  public void reportChangesTo(HoldSignal signal) {
    inner.reportChangesTo(signal);
  }

  @Override
  public Optional<EngineInspector> inspector() {
    return inner.inspector();
  }

  @Override
  public Optional<Counter> counter() {
    return inner.counter();
  }

  @Override
  public void close() {
    closed = true;
    gate.lock.lock();
    try {
      gate.changed.signalAll();
    } finally {
      gate.lock.unlock();
    }
    // A lane of an engine without connections is the engine itself, which others still use.
    if (!isLane || inner.traits().blocking()) {
      inner.close();
    }
  }
}
