package io.holdfast.memory;

import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import io.holdfast.spi.support.LineEntry;
import io.holdfast.spi.support.LineRules;
import io.holdfast.spi.support.LineState;
import io.holdfast.spi.support.StoredLine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The line of one resource and its lock.
 *
 * <p>Everything happens between {@link #enter} and {@link #exit}; what happens is in {@link
 * LineRules}.
 */
final class MemoryLine {

  /*
   * Why the step is atomic: between enter and exit the line belongs to one thread. A line is taken
   * out of the store's map before it is unlocked for the last time, and no thread acts on a dead
   * one: at any time a resource has one line, and its verbs have an order.
   */

  private static final Wake[] NO_WAKES = {};

  private final MemoryStore store;
  private final Resource resource;
  private final LineState state;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean dead;

  MemoryLine(MemoryStore store, Resource resource, Shape shape) {
    this.store = store;
    this.resource = resource;
    this.state = new LineState(shape);
  }

  /**
   * Locks the line and drops what has expired.
   *
   * @return false when the line is dead, and not locked: find its successor
   */
  boolean enter() {
    lock.lock();
    if (dead) {
      lock.unlock();
      return false;
    }
    // Read under the lock, so that the times of a line are in the order of its verbs.
    store.rules.begin(state, store.now());
    return true;
  }

  /** Unlocks the line, forgets it if it is empty, and wakes the waiters that have room now. */
  void exit() {
    Wake first = null;
    Wake[] others = NO_WAKES;
    try {
      List<LineEntry> woken = store.rules.finish(state);
      // Wakes are read under the lock: the next attempt of a waiter brings another one.
      if (!woken.isEmpty()) {
        first = woken.get(0).wake();
        others = others(woken);
      }
      if (state.isEmpty()) {
        dead = true;
        store.forget(resource, this);
      }
    } finally {
      lock.unlock();
    }
    if (first != null) {
      first.wake();
      for (Wake other : others) {
        other.wake();
      }
    }
  }

  private static Wake[] others(List<LineEntry> woken) {
    if (woken.size() == 1) {
      return NO_WAKES;
    }
    Wake[] wakes = new Wake[woken.size() - 1];
    for (int i = 0; i < wakes.length; i++) {
      wakes[i] = woken.get(i + 1).wake();
    }
    return wakes;
  }

  Resource resource() {
    return resource;
  }

  /** Returns the tickets and the mark, for reading. */
  LineState state() {
    return state;
  }

  Standing attempt(Ticket ticket, Wake wake) throws Refused {
    return store.rules.attempt(state, ticket, wake);
  }

  Renewal renew(Ticket ticket) {
    return store.rules.renew(state, ticket);
  }

  Left leave(Ticket ticket) {
    return store.rules.leave(state, ticket);
  }

  boolean settle(Ticket ticket, Duration keep) {
    boolean isFirst = state.mark() == null;
    boolean settled = store.rules.settle(state, ticket, keep);
    StoredLine.Mark mark = state.mark();
    if (isFirst && mark != null) {
      store.tidyLater(resource, mark.end());
    }
    LineEntry kept = state.find(ticket.id().kept());
    if (kept != null) {
      store.tidyLater(resource, kept.expiry());
    }
    return settled;
  }

  boolean resize(Ticket ticket) throws Refused {
    return store.rules.resize(state, ticket);
  }

  void revoke(LineEntry holder, String reason) {
    store.rules.revoke(holder, reason);
  }

  void evict(LineEntry holder, String reason) {
    store.rules.evict(state, holder);
    store.departures.evicted(holder.id(), holder.lease(), reason, state.now());
  }
}
