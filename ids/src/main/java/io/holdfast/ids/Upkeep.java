package io.holdfast.ids;

import io.holdfast.World;

/** Does something again and again, on a thread where it may block, until it is stopped. */
final class Upkeep {

  private final World world;
  private final long everyNanos;
  private final Runnable body;
  private volatile Runnable cancel = () -> {};
  private volatile boolean stopped;

  /**
   * An upkeep that has not begun.
   *
   * @param body must not throw
   */
  Upkeep(World world, long everyNanos, Runnable body) {
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
