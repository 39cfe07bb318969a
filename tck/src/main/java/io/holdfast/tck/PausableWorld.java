package io.holdfast.tck;

import io.holdfast.World;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/** One client's share of a {@link ManualTime}, whose timers can be held up. */
final class PausableWorld implements World {

  private final ManualTime time;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Runnable> overdue = new ArrayList<>();
  private boolean paused;

  PausableWorld(ManualTime time) {
    this.time = time;
  }

  void pause() {
    lock.lock();
    try {
      paused = true;
    } finally {
      lock.unlock();
    }
  }

  /** Runs what became due meanwhile, in its order. */
  void resume() {
    List<Runnable> due;
    lock.lock();
    try {
      paused = false;
      due = List.copyOf(overdue);
      overdue.clear();
    } finally {
      lock.unlock();
    }
    due.forEach(Runnable::run);
  }

  @Override
  public Runnable schedule(long delayNanos, Runnable task) {
    AtomicBoolean cancelled = new AtomicBoolean();
    Runnable cancel = time.schedule(delayNanos, () -> runOrKeep(task, cancelled));
    return () -> {
      cancelled.set(true);
      cancel.run();
    };
  }

  private void runOrKeep(Runnable task, AtomicBoolean cancelled) {
    lock.lock();
    try {
      if (paused) {
        overdue.add(() -> runOrKeep(task, cancelled));
        return;
      }
    } finally {
      lock.unlock();
    }
    if (!cancelled.get()) {
      task.run();
    }
  }

  @Override
  public long nanoTime() {
    return time.nanoTime();
  }

  @Override
  public long epochMicros() {
    return time.epochMicros();
  }

  @Override
  public void park(Object blocker, long nanos) {
    time.park(blocker, nanos);
  }

  @Override
  public Executor callbacks() {
    return time.callbacks();
  }

  @Override
  public Thread start(String name, Runnable body) {
    return time.start(name, body);
  }

  @Override
  public long secret() {
    return time.secret();
  }
}
