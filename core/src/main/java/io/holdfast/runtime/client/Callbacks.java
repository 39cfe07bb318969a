package io.holdfast.runtime.client;

import io.holdfast.World;
import io.holdfast.runtime.time.RetryingExecutor;

/**
 * Runs users' callbacks on a growing pool, never on a lane or a timer.
 *
 * <p>A callback for which the machine has no thread is retried until it has one.
 */
final class Callbacks {

  private static final System.Logger LOG = System.getLogger("io.holdfast");

  private final RetryingExecutor threads;
  private final InFlightCounter idle;

  Callbacks(World world) {
    this.threads = new RetryingExecutor(world);
    this.idle = new InFlightCounter(world);
  }

  void call(Runnable callback) {
    idle.begin();
    threads.execute(() -> run(callback));
  }

  private void run(Runnable callback) {
    try {
      callback.run();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "a callback failed", e);
    } finally {
      idle.end();
    }
  }

  /** Waits until no callback runs, at most for the given time. */
  void awaitIdle(long nanos) {
    idle.await(nanos);
  }
}
