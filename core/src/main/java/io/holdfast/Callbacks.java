package io.holdfast;

/** Runs users' callbacks on growing threads, never on a lane or a timer. */
final class Callbacks {

  private static final System.Logger LOG = System.getLogger("io.holdfast");

  private final World world;
  private final Idle idle;

  Callbacks(World world) {
    this.world = world;
    this.idle = new Idle(world);
  }

  void call(Runnable callback) {
    idle.begin();
    try {
      world.callbacks().execute(() -> run(callback));
    } catch (RuntimeException | OutOfMemoryError e) {
      idle.end();
      throw e;
    }
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
