package io.holdfast;

/**
 * Runs users' callbacks on growing threads, never on a lane or a timer. A callback for which the
 * machine has no thread is tried again until it has one.
 */
final class Callbacks {

  private static final System.Logger LOG = System.getLogger("io.holdfast");

  private final RetryingExecutor threads;
  private final Idle idle;

  Callbacks(World world) {
    this.threads = new RetryingExecutor(world);
    this.idle = new Idle(world);
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

  /** Waits until none runs, at most this long. */
  void awaitIdle(long nanos) {
    idle.await(nanos);
  }
}
