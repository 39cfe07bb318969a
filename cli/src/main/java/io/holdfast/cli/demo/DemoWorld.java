package io.holdfast.cli.demo;

import io.holdfast.World;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A world whose machine can be stopped at any point, as by SIGSTOP. While it is stopped none of its
 * timers, callbacks and threads goes on; time does.
 *
 * <p>Clocks are not touched: a process that was stopped reads the true time when it wakes up, and
 * until then it reads nothing. Threads stop where they wait, which is where they are nearly always.
 */
final class DemoWorld implements World {

  /** A timer's task; one object for each, so that cancelling takes the right one. */
  private static final class Due {
    final Runnable task;

    Due(Runnable task) {
      this.task = task;
    }
  }

  private final World world;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition resumed = lock.newCondition();
  private final List<Due> overdue = new ArrayList<>();
  private boolean paused;

  DemoWorld(World world) {
    this.world = world;
  }

  void pause() {
    lock.lock();
    try {
      paused = true;
    } finally {
      lock.unlock();
    }
  }

  /** Goes on. What was due meanwhile runs now. */
  void resume() {
    List<Due> late;
    lock.lock();
    try {
      paused = false;
      late = List.copyOf(overdue);
      overdue.clear();
      resumed.signalAll();
    } finally {
      lock.unlock();
    }
    late.forEach(due -> world.schedule(0, due.task));
  }

  private void standStillWhilePaused() {
    lock.lock();
    try {
      while (paused) {
        resumed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Runnable schedule(long delayNanos, Runnable task) {
    Due due = new Due(task);
    Runnable cancel = world.schedule(delayNanos, () -> runUnlessPaused(due));
    return () -> {
      cancel.run();
      forget(due);
    };
  }

  /** Never blocks: the timer thread belongs to all machines of this process. */
  private void runUnlessPaused(Due due) {
    lock.lock();
    try {
      if (paused) {
        overdue.add(due);
        return;
      }
    } finally {
      lock.unlock();
    }
    due.task.run();
  }

  private void forget(Due due) {
    lock.lock();
    try {
      overdue.remove(due);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void park(Object blocker, long nanos) {
    world.park(blocker, nanos);
    standStillWhilePaused();
  }

  @Override
  public Executor callbacks() {
    return task -> world.callbacks().execute(() -> runWhenAwake(task));
  }

  @Override
  public Thread start(String name, Runnable body) {
    return world.start(name, () -> runWhenAwake(body));
  }

  private void runWhenAwake(Runnable body) {
    standStillWhilePaused();
    body.run();
  }

  @Override
  public long nanoTime() {
    return world.nanoTime();
  }

  @Override
  public long epochMicros() {
    return world.epochMicros();
  }

  @Override
  public long secret() {
    return world.secret();
  }
}
