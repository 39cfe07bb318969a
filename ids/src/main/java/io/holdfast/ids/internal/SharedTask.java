package io.holdfast.ids.internal;

import io.holdfast.ids.IdsUnavailableException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A task that runs once for all callers that wait for it, on another thread.
 *
 * <p>A caller that gives up waiting does not cancel it. Thread-safe.
 */
final class SharedTask {

  /** One execution. */
  private static final class Execution {
    final CountDownLatch done = new CountDownLatch(1);
    volatile @Nullable RuntimeException failure;
  }

  private final Executor threads;
  private final AtomicReference<@Nullable Execution> inProgress = new AtomicReference<>();

  /**
   * Creates a task that is not running.
   *
   * @param threads run the task; it may block them
   */
  SharedTask(Executor threads) {
    this.threads = threads;
  }

  /**
   * Waits for the execution in progress; if there is none, starts one with this body.
   *
   * @return whether it ended in time
   * @throws RuntimeException if the execution failed
   */
  boolean await(Runnable body, long nanos) throws InterruptedException {
    Execution mine = new Execution();
    Execution other = inProgress.compareAndExchange(null, mine);
    if (other == null) {
      begin(body, mine);
    }
    Execution execution = other == null ? mine : other;
    if (!execution.done.await(nanos, TimeUnit.NANOSECONDS)) {
      return false;
    }
    RuntimeException failure = execution.failure;
    if (failure instanceof IdsUnavailableException) {
      // A new exception for each caller, with its own stack trace.
      throw new IdsUnavailableException(String.valueOf(failure.getMessage()), failure);
    }
    if (failure != null) {
      throw failure;
    }
    return true;
  }

  private void begin(Runnable body, Execution execution) {
    boolean begun = false;
    try {
      threads.execute(() -> run(body, execution));
      begun = true;
    } finally {
      if (!begun) {
        end(execution);
      }
    }
  }

  private void run(Runnable body, Execution execution) {
    try {
      body.run();
    } catch (RuntimeException e) {
      execution.failure = e;
    } finally {
      end(execution);
    }
  }

  /** Clears the execution before it wakes the callers: they may start the next one. */
  private void end(Execution execution) {
    inProgress.set(null);
    execution.done.countDown();
  }
}
