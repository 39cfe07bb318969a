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

/** Tracks the threads that a {@link ManualTime} started or that are parked in it. */
final class ThreadTracker {

  /*
   * A thread is idle if it waits. But a thread that was woken a moment ago looks as if it waited
   * until it runs. Parking may end spuriously, so every waiting thread is unparked once; a thread
   * that waits again after that was idle. Its work may wake another thread that was checked before,
   * hence several rounds.
   */

  private static final int ROUNDS = 3;
  private static final long AWAIT_NANOS = 10_000_000_000L;

  /** One call of {@link #park}. */
  private static final class Parked {
    final @Nullable Long until;

    Parked(@Nullable Long until) {
      this.until = until;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Thread, Parked> parked = new HashMap<>();
  private final Set<Thread> started = ConcurrentHashMap.newKeySet();
  private final IdleDetector idleDetector = new IdleDetector();

  void track(Thread thread) {
    started.add(thread);
  }

  void park(Object blocker, long now, long nanos) {
    Thread me = Thread.currentThread();
    set(me, new Parked(nanos == Long.MAX_VALUE ? null : Long.valueOf(now + nanos)));
    LockSupport.park(blocker);
    set(me, null);
  }

  private void set(Thread thread, @Nullable Parked entry) {
    lock.lock();
    try {
      if (entry == null) {
        parked.remove(thread);
      } else {
        parked.put(thread, entry);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The earliest wake-up time of the parked threads; null if none has one. */
  @Nullable Long nextWake() {
    lock.lock();
    try {
      Long first = null;
      for (Parked entry : parked.values()) {
        if (entry.until != null && (first == null || entry.until - first < 0)) {
          first = entry.until;
        }
      }
      return first;
    } finally {
      lock.unlock();
    }
  }

  /** Wakes the threads that are due and waits until they run; returns whether there was one. */
  boolean wakeDue(long now) {
    Map<Thread, Parked> due = parkedThreads();
    due.values().removeIf(entry -> entry.until == null || entry.until - now > 0);
    due.forEach(this::wake);
    return !due.isEmpty();
  }

  /** Returns when all tracked threads are idle, or after this much real time. */
  void settle(Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    for (int round = 0; round < ROUNDS; round++) {
      Map<Thread, Parked> waiting = parkedThreads();
      started.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
      idleDetector.retain(started);
      List<Thread> elsewhere = new ArrayList<>(started);
      elsewhere.removeAll(waiting.keySet());
      elsewhere.remove(Thread.currentThread());
      if (waiting.isEmpty() && elsewhere.isEmpty()) {
        return;
      }
      waiting.forEach(this::wake);
      waiting
          .keySet()
          .forEach(thread -> idleDetector.awaitIdle(thread, () -> isParked(thread), end));
      elsewhere.forEach(thread -> idleDetector.awaitIdle(thread, () -> isParked(thread), end));
    }
  }

  private Map<Thread, Parked> parkedThreads() {
    lock.lock();
    try {
      Map<Thread, Parked> waiting = new HashMap<>(parked);
      waiting.remove(Thread.currentThread());
      return waiting;
    } finally {
      lock.unlock();
    }
  }

  /** Wakes the thread and waits until it has left {@link #park}. */
  private void wake(Thread thread, Parked entry) {
    LockSupport.unpark(thread);
    await(() -> parked.get(thread) != entry);
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
      throw new AssertionError(
          thread.getName() + " does not park; its state is " + thread.getState());
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
