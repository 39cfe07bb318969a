package io.holdfast.spi.support;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Repeats a step on a daemon thread, with pauses, until it is closed. Thread-safe.
 *
 * <p>For heartbeats, listeners and sweepers. The step returns how long to pause before the next
 * one; {@link #wake} ends a pause early. A wake is never lost: a wake while the step runs makes the
 * next pause end at once. (A parked thread gives no such promise, because locks and drivers inside
 * the step use up its permit.)
 *
 * <p>The step handles the failures that it expects. A failure that it throws is logged, and the
 * step runs again after a second: a heartbeat or a listener must not end because of a single
 * failure.
 *
 * <p>Closing does not wait for a step that is under way, and does not interrupt it: a step that
 * blocks on a connection is ended by closing the connection. An interrupt by others ends the pause
 * and is cleared.
 */
public final class BackgroundLoop implements AutoCloseable {

  /** Returned by a step to pause until {@link #wake} is called. */
  public static final long UNTIL_WOKEN = Long.MAX_VALUE;

  /** Returned by a step to end the loop. */
  public static final long STOP = -1;

  private static final System.Logger LOG = System.getLogger(BackgroundLoop.class.getName());
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  /** One turn of a loop. */
  @FunctionalInterface
  public interface Step {

    /**
     * Does the work of one turn.
     *
     * @return the nanoseconds to pause, {@link #UNTIL_WOKEN}, or {@link #STOP}; zero for no pause
     */
    long run();
  }

  private final String name;
  private final ThreadFactory threads;
  private final Step step;
  private final Runnable atEnd;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean started;
  private boolean woken;
  private volatile boolean closed;

  /**
   * Creates a loop that does not run yet.
   *
   * @param name the thread's name
   * @param threads makes the thread, usually {@code Thread::new}; the loop names it and makes it a
   *     daemon
   */
  public BackgroundLoop(String name, ThreadFactory threads, Step step) {
    this(name, threads, step, () -> {});
  }

  /**
   * Creates a loop that does not run yet, and has something to close at its end.
   *
   * @param atEnd runs on the loop's thread after the last step; never if the loop was not started
   */
  public BackgroundLoop(String name, ThreadFactory threads, Step step, Runnable atEnd) {
    this.name = name;
    this.threads = threads;
    this.step = step;
    this.atEnd = atEnd;
  }

  /**
   * Starts the thread, whose first step comes without a pause. Without effect when it was started
   * or closed before.
   *
   * <p>When no thread can be made, the error is the caller's, and a later call tries again.
   */
  public void start() {
    lock.lock();
    try {
      if (!started && !closed) {
        Thread thread = threads.newThread(this::repeat);
        thread.setName(name);
        thread.setDaemon(true);
        thread.start();
        started = true;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends the present pause, or the next one if the step is under way. */
  public void wake() {
    lock.lock();
    try {
      woken = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether {@link #close} was called. Steps that take long ask now and then. */
  public boolean isClosed() {
    return closed;
  }

  /** Ends the loop: no step begins afterwards. Does not wait for a step that is under way. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void repeat() {
    try {
      long pause = 0;
      while (pause != STOP && pauseFor(pause)) {
        pause = next();
      }
    } finally {
      atEnd.run();
    }
  }

  private long next() {
    try {
      return step.run();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, name + " failed and continues", e);
      return AFTER_FAILURE.toNanos();
    }
  }

  /** Pauses, and returns whether the next step is to run: false after {@link #close}. */
  private boolean pauseFor(long pause) {
    lock.lock();
    try {
      long left = pause;
      while (!closed && !woken && left > 0) {
        left = changed.awaitNanos(left);
      }
      woken = false;
      return !closed;
    } catch (InterruptedException e) {
      LOG.log(Level.DEBUG, name + " was interrupted");
      return !closed;
    } finally {
      lock.unlock();
    }
  }
}
