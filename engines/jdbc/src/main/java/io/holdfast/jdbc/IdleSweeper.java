package io.holdfast.jdbc;

import io.holdfast.jdbc.table.Broom;
import io.holdfast.jdbc.wire.Runner;
import io.holdfast.spi.EngineException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Sweeps while the lanes have nothing to do: a client that only holds, or waits for the next night,
 * keeps the tables small as well. On a daemon thread, with a connection that is open for as long as
 * a walk through the tables takes, and not between walks.
 */
final class IdleSweeper implements AutoCloseable {

  /** For so long a step may be due before it is ours: busy lanes sweep by themselves. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Runner.Store store;
  private final Broom broom;
  private final Thread thread = new Thread(this::run, "holdfast-jdbc-sweeper");
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile boolean closed;

  IdleSweeper(Runner.Store store, Broom broom) {
    this.store = store;
    this.broom = broom;
    thread.setDaemon(true);
  }

  /** From now on, as the tables are there; more than once does no harm. */
  void start() {
    if (!started.getAndSet(true)) {
      thread.start();
    }
  }

  private void run() {
    while (!closed) {
      LockSupport.parkNanos(Math.max(1, broom.untilDue() + GRACE_NANOS));
      if (!closed && broom.untilDue() + GRACE_NANOS <= 0) {
        walk();
      }
    }
  }

  /** To the end of the tables, or until a step fails; the next walk comes in its time. */
  private void walk() {
    try (Runner runner = new Runner(store)) {
      do {
        if (broom.isDue()) {
          int ignored = broom.sweep(runner);
        } else {
          // A lane may be at the step that is due: it is left alone for a moment.
          LockSupport.parkNanos(Math.max(MOMENT_NANOS, broom.untilDue()));
        }
      } while (!closed && !broom.isResting());
    } catch (EngineException | RuntimeException e) {
      // Nothing depends on it; the lanes say what is wrong.
      return;
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
