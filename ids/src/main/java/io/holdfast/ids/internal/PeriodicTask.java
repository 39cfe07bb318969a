package io.holdfast.ids.internal;

import io.holdfast.World;

/** Runs a task periodically, on a thread that it may block, until stopped. */
final class PeriodicTask {

  private final World world;
  private final long everyNanos;
  private final Runnable body;
  private volatile Runnable cancel = () -> {};
  private volatile boolean stopped;

  /**
   * Creates a task that has not started.
   *
   * @param body must not throw
   */
  PeriodicTask(World world, long everyNanos, Runnable body) {
    this.world = world;
    this.everyNanos = everyNanos;
    this.body = body;
  }

  void start() {
    cancel = world.schedule(everyNanos, () -> world.callbacks().execute(this::run));
    if (stopped) {
      cancel.run();
    }
  }

  private void run() {
    if (!stopped) {
      try {
        body.run();
      } finally {
        start();
      }
    }
  }

  void stop() {
    stopped = true;
    cancel.run();
  }
}
