package io.holdfast.tck;

import io.holdfast.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The time of one client: its timers can be stopped, its clocks skewed.
 *
 * <p>Threads are not stopped: what a test calls on a paused client still runs. Thread-safe.
 */
public final class PausableWorld implements World {

  private final World world;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Runnable> overdue = new ArrayList<>();
  private boolean paused;
  private boolean suspended;
  private long suspendedAt;
  private long suspendedNanos;
  private long stepMicros;

  /** Creates a world that at first behaves like the given one. */
  public PausableWorld(World world) {
    this.world = world;
  }

  /** Stops all timers, as a long garbage collection does; clocks go on. */
  public void pause() {
    lock.lock();
    try {
      paused = true;
    } finally {
      lock.unlock();
    }
  }

  /** Stops all timers and the monotonic clock, as a suspended host does. */
  public void suspend() {
    lock.lock();
    try {
      paused = true;
      suspended = true;
      suspendedAt = world.nanoTime();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends {@link #pause()} or {@link #suspend()}. Timers that became due in the meantime run now, in
   * their order, on the calling thread.
   */
  public void resume() {
    List<Runnable> due;
    lock.lock();
    try {
      if (suspended) {
        suspendedNanos += world.nanoTime() - suspendedAt;
        suspended = false;
      }
      paused = false;
      due = List.copyOf(overdue);
      overdue.clear();
    } finally {
      lock.unlock();
    }
    due.forEach(Runnable::run);
  }

  /** Steps the wall clock forward, or back if negative. */
  public void stepClock(Duration by) {
    lock.lock();
    try {
      stepMicros += by.toNanos() / 1_000;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long nanoTime() {
    lock.lock();
    try {
      return (suspended ? suspendedAt : world.nanoTime()) - suspendedNanos;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long epochMicros() {
    lock.lock();
    try {
      return world.epochMicros() + stepMicros;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Runnable schedule(long delayNanos, Runnable task) {
    AtomicBoolean cancelled = new AtomicBoolean();
    Runnable cancel = world.schedule(delayNanos, () -> runOrKeep(task, cancelled));
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
  public void park(Object blocker, long nanos) {
    world.park(blocker, nanos);
  }

  @Override
  public void letOthersRun() {
    world.letOthersRun();
  }

  @Override
  public Executor callbacks() {
    return world.callbacks();
  }

  @Override
  public Thread start(String name, Runnable body) {
    return world.start(name, body);
  }

  @Override
  public long secret() {
    return world.secret();
  }
}
