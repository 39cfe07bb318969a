package io.holdfast.rig.history;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.LockTimeoutException;
import io.holdfast.Outcome;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.StoreUnavailableException;
import java.time.Duration;

/** A hold that writes its story into a history. */
public final class TracedHold {

  private final Hold hold;
  private final Trace trace;
  private boolean over;

  private TracedHold(Hold hold, Trace trace) {
    this.hold = hold;
    this.trace = trace;
  }

  /**
   * Acquires, and writes down what became of it.
   *
   * @throws io.holdfast.HoldfastException as the lock does
   */
  public static TracedHold acquire(DistributedLock lock, Trace trace, Duration wait)
      throws InterruptedException {
    trace.acquiring();
    Hold hold;
    try {
      hold = lock.acquire(wait);
    } catch (LockTimeoutException e) {
      trace.notAcquired();
      throw e;
    } catch (StoreUnavailableException | OutcomeUnknownException e) {
      trace.acquireUnknown();
      throw e;
    }
    long asOf = System.nanoTime();
    trace.acquired(hold.token(), asOf + hold.remaining().toNanos());
    hold.onLoss(loss -> trace.lost());
    return new TracedHold(hold, trace);
  }

  /** The hold itself. */
  public Hold hold() {
    return hold;
  }

  /** Records until when the holder believes; returns whether it does. */
  public synchronized boolean look() {
    if (over) {
      return false;
    }
    long asOf = System.nanoTime();
    boolean held = hold.isHeld();
    if (held) {
      trace.held(asOf, asOf + hold.remaining().toNanos());
    }
    return held;
  }

  /** Releases, and writes down what became of it. */
  public synchronized Outcome release() {
    over = true;
    trace.releasing();
    Outcome outcome = hold.release();
    switch (outcome) {
      case RELEASED -> trace.released();
      case LOST -> trace.releaseFoundLost();
      case UNKNOWN -> trace.releaseUnknown();
      case ALREADY_RELEASED -> throw new IllegalStateException("released twice");
    }
    return outcome;
  }
}
