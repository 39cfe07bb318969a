package io.holdfast.tck.conformance;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A task on another thread, and its result. */
final class BackgroundTask<T extends @Nullable Object> {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long LOOK_NANOS = 5_000_000;
  private static final int STILL = 5;

  private final CompletableFuture<T> result = new CompletableFuture<>();
  private final KitTime time;
  private final Thread thread;
  private volatile long endedAt;

  BackgroundTask(KitTime time, String name, Callable<T> body) {
    this.time = time;
    this.thread = time.world().start(name, () -> run(body));
  }

  private void run(Callable<T> body) {
    try {
      T value = body.call();
      endedAt = time.now();
      result.complete(value);
    } catch (Throwable e) {
      endedAt = time.now();
      result.completeExceptionally(e);
    }
  }

  Thread thread() {
    return thread;
  }

  /** Waits until the thread is parked, in real time. */
  void awaitParked() {
    if (time.isManual()) {
      time.manual().awaitParked(thread);
      return;
    }
    // Several looks: the thread may also wait for a moment elsewhere.
    for (int still = 0; still < STILL; ) {
      boolean parks =
          thread.getState() == Thread.State.WAITING
              || thread.getState() == Thread.State.TIMED_WAITING;
      still = parks ? still + 1 : 0;
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  void interrupt() {
    thread.interrupt();
  }

  boolean hasEnded() {
    return result.isDone();
  }

  /** When the task ended, on the clock of the fixture. */
  long endedAt() {
    return endedAt;
  }

  /** Lets time pass until the task has ended. */
  BackgroundTask<T> awaitEnd(Duration bound) {
    time.until(thread.getName() + " ends", bound, this::hasEnded);
    return this;
  }

  /** Returns the result of a task that ends without time passing. */
  T result() throws Exception {
    try {
      return result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw new AssertionError(e.getCause());
    }
  }

  /** Lets time pass until the task has ended, and returns its result. */
  T result(Duration bound) throws Exception {
    return awaitEnd(bound).result();
  }

  /** Returns what the task threw; fails if it ended normally. */
  Throwable failure() {
    try {
      throw new AssertionError(thread.getName() + " did not fail but returned " + result());
    } catch (Exception e) {
      return e;
    }
  }
}
