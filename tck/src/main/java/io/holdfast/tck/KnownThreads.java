package io.holdfast.tck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The threads of a {@link ManualTime}: those that it started, and those that are parked in it. */
final class KnownThreads {

  /*
   * How to know that a thread has nothing to do: it waits. But one that was woken a moment ago
   * looks as if it waited until it runs. Every kind of parking may end for no reason, so everybody
   * who waits is made to look once more; who waits again after that had nothing to do. What one of
   * them does may give work to another, which had its turn before: hence several rounds.
   */

  private static final int ROUNDS = 3;
  private static final long AWAIT_NANOS = 10_000_000_000L;

  /** One stay in {@link #park}. */
  private static final class Stay {
    final @Nullable Long until;

    Stay(@Nullable Long until) {
      this.until = until;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Thread, Stay> parked = new HashMap<>();
  private final Set<Thread> started = ConcurrentHashMap.newKeySet();
  private final Nudges nudges = new Nudges();

  void know(Thread thread) {
    started.add(thread);
  }

  void park(Object blocker, long now, long nanos) {
    Thread me = Thread.currentThread();
    set(me, new Stay(nanos == Long.MAX_VALUE ? null : Long.valueOf(now + nanos)));
    LockSupport.park(blocker);
    set(me, null);
  }

  private void set(Thread thread, @Nullable Stay stay) {
    lock.lock();
    try {
      if (stay == null) {
        parked.remove(thread);
      } else {
        parked.put(thread, stay);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** When the first of those that are parked wants to be woken, if any does. */
  @Nullable Long nextWake() {
    lock.lock();
    try {
      Long first = null;
      for (Stay stay : parked.values()) {
        if (stay.until != null && (first == null || stay.until - first < 0)) {
          first = stay.until;
        }
      }
      return first;
    } finally {
      lock.unlock();
    }
  }

  /** Wakes those whose time has come and waits until they have left; whether there was one. */
  boolean wakeDue(long now) {
    Map<Thread, Stay> due = stays();
    due.values().removeIf(stay -> stay.until == null || stay.until - now > 0);
    due.forEach(this::wake);
    return !due.isEmpty();
  }

  /** Returns when no known thread has anything to do, or after this much real time. */
  void settle(Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    for (int round = 0; round < ROUNDS; round++) {
      Map<Thread, Stay> stays = stays();
      started.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
      nudges.forgetOthers(started);
      List<Thread> elsewhere = new ArrayList<>(started);
      elsewhere.removeAll(stays.keySet());
      elsewhere.remove(Thread.currentThread());
      if (stays.isEmpty() && elsewhere.isEmpty()) {
        return;
      }
      stays.forEach(this::wake);
      stays.keySet().forEach(thread -> nudges.awaitIdle(thread, () -> isParked(thread), end));
      elsewhere.forEach(thread -> nudges.awaitIdle(thread, () -> isParked(thread), end));
    }
  }

  private Map<Thread, Stay> stays() {
    lock.lock();
    try {
      Map<Thread, Stay> stays = new HashMap<>(parked);
      stays.remove(Thread.currentThread());
      return stays;
    } finally {
      lock.unlock();
    }
  }

  /** Wakes the thread and waits until it has left that stay. */
  private void wake(Thread thread, Stay stay) {
    LockSupport.unpark(thread);
    await(() -> parked.get(thread) != stay);
  }

  private boolean isParked(Thread thread) {
    lock.lock();
    try {
      return parked.containsKey(thread);
    } finally {
      lock.unlock();
    }
  }

  void awaitParked(Thread thread) {
    if (!await(() -> parked.containsKey(thread))) {
      throw new AssertionError(thread.getName() + " does not park; it is " + thread.getState());
    }
  }

  void awaitParked(int count) {
    if (!await(() -> parked.size() >= count)) {
      throw new AssertionError("fewer than " + count + " threads are parked");
    }
  }

  private boolean await(BooleanSupplier condition) {
    boolean interrupted = false;
    lock.lock();
    try {
      long left = AWAIT_NANOS;
      while (!condition.getAsBoolean() && left > 0) {
        try {
          left = changed.awaitNanos(left);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      return condition.getAsBoolean();
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
