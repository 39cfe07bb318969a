package io.holdfast.jdbc.kept;

import java.util.concurrent.locks.LockSupport;

/**
 * A daemon thread that lets the server hear of us while nothing else does: the server ends what is
 * silent for a lease.
 */
public final class Beat implements AutoCloseable {

  private static final int BEATS_A_LEASE = 6;

  private final Runnable beat;
  private final long everyNanos;
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Starts.
   *
   * @param beat what to do six times a lease; must not throw
   */
  public Beat(String name, long leaseNanos, Runnable beat) {
    this.beat = beat;
    this.everyNanos = leaseNanos / BEATS_A_LEASE;
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    while (!closed) {
      LockSupport.parkNanos(everyNanos);
      if (!closed) {
        beat.run();
      }
    }
  }

  /** No beat begins after it; one that is under way ends by itself. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
