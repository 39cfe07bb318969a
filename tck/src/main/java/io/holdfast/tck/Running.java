package io.holdfast.tck;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Something that another thread does meanwhile, and what came of it. */
final class Running<T extends @Nullable Object> {

  private static final Duration LATE = Duration.ofSeconds(20);
  private static final long LOOK_NANOS = 5_000_000;
  private static final int STILL = 5;

  private final CompletableFuture<T> result = new CompletableFuture<>();
  private final StageTime time;
  private final Thread thread;
  private volatile long endedAt;

  Running(StageTime time, String name, Callable<T> body) {
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
    // One look is not enough: it may wait for a moment on its way.
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

  /** When it ended, on the stage's clock. */
  long endedAt() {
    return endedAt;
  }

  /** Lets time pass until it has ended. */
  Running<T> ends(Duration bound) {
    time.until(thread.getName() + " ends", bound, this::hasEnded);
    return this;
  }

  /** The result of one that ends by itself without time passing. */
  T result() throws Exception {
    try {
      return result.get(LATE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw new AssertionError(e.getCause());
    }
  }

  /** Lets time pass until it has ended, and answers its result. */
  T result(Duration bound) throws Exception {
    return ends(bound).result();
  }

  /** What it threw; fails when it did not. */
  Throwable failure() {
    try {
      throw new AssertionError(thread.getName() + " did not fail but answered " + result());
    } catch (Exception e) {
      return e;
    }
  }
}
