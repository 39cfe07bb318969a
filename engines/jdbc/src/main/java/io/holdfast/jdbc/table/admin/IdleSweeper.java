package io.holdfast.jdbc.table.admin;

import io.holdfast.jdbc.connection.JdbcStore;
import io.holdfast.jdbc.connection.SqlRunner;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.support.BackgroundLoop;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sweeps on a daemon thread while the lanes are idle.
 *
 * <p>Its connection is open during a walk through the tables, and closed between walks.
 */
public final class IdleSweeper implements AutoCloseable {

  /** How long a step may be overdue before this thread takes it: busy lanes sweep by themselves. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final JdbcStore store;
  private final Sweeper sweeper;
  private final BackgroundLoop loop;

  /** The connection of the present walk; used by the thread only. */
  private @Nullable SqlRunner walk;

  public IdleSweeper(JdbcStore store, Sweeper sweeper) {
    this.store = store;
    this.sweeper = sweeper;
    this.loop = new BackgroundLoop("holdfast-jdbc-sweeper", Thread::new, this::step, this::endWalk);
  }

  /** Starts, once the tables exist. Further calls have no effect. */
  public void start() {
    loop.start();
  }

  /**
   * Takes a step if none was taken for some time, and then walks to the end of the tables, or until
   * a step fails. Returns the pause before the next step.
   */
  long step() {
    long untilWalk = sweeper.untilDue() + GRACE_NANOS;
    if (walk == null && untilWalk > 0) {
      return untilWalk;
    }
    SqlRunner runner = walk == null ? new SqlRunner(store) : walk;
    walk = runner;
    boolean failed = false;
    try {
      // Without a claim, a lane is running the step that is due, or has just run it.
      if (sweeper.claimStep()) {
        int ignored = sweeper.sweep(runner);
      }
    } catch (EngineException | RuntimeException e) {
      // Nothing depends on it; the lanes report what is wrong.
      failed = true;
    }
    if (failed || sweeper.isResting()) {
      endWalk();
      return Math.max(MOMENT_NANOS, sweeper.untilDue() + GRACE_NANOS);
    }
    return Math.max(MOMENT_NANOS, sweeper.untilDue());
  }

  void endWalk() {
    SqlRunner runner = walk;
    walk = null;
    if (runner != null) {
      runner.close();
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
