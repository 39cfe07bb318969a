package io.holdfast.runtime.acquire;

import io.holdfast.HoldfastException;
import io.holdfast.Outcome;
import io.holdfast.World;
import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.hold.HoldHandle;
import io.holdfast.spi.Standing;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One waiting caller: a parked thread or a future.
 *
 * <p>It gets one result by one compare-and-set. So a caller that has just given up is skipped, and
 * the result goes to the next waiter.
 */
public final class Waiter {

  /** The result of a wait. */
  public sealed interface Result {

    /** The hold. */
    record Got(HoldHandle hold) implements Result {}

    /** The store reported busy. */
    record Busy(StoreReplies replies) implements Result {}

    /** The run of this period is done. */
    record Done(Standing.Done done) implements Result {}

    /** The acquire failed. */
    record Failed(HoldfastException failure) implements Result {}

    /** The caller gave up. */
    record GaveUp() implements Result {}
  }

  public static final long NO_LIMIT = Long.MAX_VALUE;

  /** When a thread that waits for its own hold is warned. */
  private static final long NESTED = 1_000_000_000L;

  /** When a caller that waits for a hold of its own client is warned. */
  private static final long CONCERN = 10_000_000_000L;

  private static final Result.GaveUp GAVE_UP = new Result.GaveUp();

  private final AcquireRequest request;
  private final long wait;
  private final boolean tryOnly;
  private final AtomicReference<@Nullable Result> result = new AtomicReference<>();
  private final @Nullable Thread thread;
  private final @Nullable CompletableFuture<Result> future;

  /** Whether the warning was logged; used by the waiting thread alone. */
  private boolean warned;

  /** Set by the line when a try is worthwhile; cleared by the waiter when it tries. */
  private volatile boolean nudged;

  private Waiter(
      AcquireRequest request,
      long wait,
      boolean tryOnly,
      @Nullable Thread thread,
      @Nullable CompletableFuture<Result> future) {
    this.request = request;
    this.wait = wait;
    this.tryOnly = tryOnly;
    this.thread = thread;
    this.future = future;
  }

  public static Waiter blocking(AcquireRequest request, long wait, boolean tryOnly) {
    return new Waiter(request, wait, tryOnly, Thread.currentThread(), null);
  }

  public static Waiter async(AcquireRequest request, long wait, boolean tryOnly) {
    return new Waiter(request, wait, tryOnly, null, new CompletableFuture<>());
  }

  public AcquireRequest request() {
    return request;
  }

  public boolean tryOnly() {
    return tryOnly;
  }

  /** Returns whether a nudge would only cost a detour: there is no thread that could be quicker. */
  boolean isAsync() {
    return thread == null;
  }

  public boolean isDecided() {
    return result.get() != null;
  }

  /** Sets the result and notifies the caller; returns false when it had a result or gave up. */
  public boolean offer(Result offered) {
    boolean given = give(offered);
    if (given) {
      tell();
    }
    return given;
  }

  /**
   * Sets the result without {@link #tell}, which must follow. Returns the same as {@link #offer}.
   */
  boolean give(Result given) {
    return result.compareAndSet(null, given);
  }

  /**
   * Wakes a caller that has a result or was nudged. Must not be called under a lock: the woken
   * thread may run at once in place of the waking one, and would only wait for that lock.
   */
  void tell() {
    Result given = result.get();
    if (future != null && given != null) {
      CompletableFuture<Result> completed = future;
      request.client().call(() -> completed.complete(given));
    } else if (thread != null && thread != Thread.currentThread()) {
      LockSupport.unpark(thread);
    }
  }

  /** Returns the notification, followed by the report that the previous hold was released. */
  Runnable telling(Consumer<Outcome> released) {
    return () -> {
      tell();
      released.accept(Outcome.RELEASED);
    };
  }

  /** Lets the waiter try when it wakes; {@link #tell} must follow. */
  Waiter nudge() {
    nudged = true;
    return this;
  }

  /** Gives up; returns false when a result was quicker. */
  public boolean giveUp() {
    boolean first = result.compareAndSet(null, GAVE_UP);
    if (first && future != null) {
      future.complete(GAVE_UP);
    }
    return first;
  }

  /**
   * Parks until there is a result, the time is up or, if interruptible, the thread is interrupted.
   *
   * @throws InterruptedException when interrupted before there was a result; the waiter has given
   *     up then
   */
  public Result await(WaitQueue place, boolean interruptible) throws InterruptedException {
    boolean interrupted = false;
    try {
      while (true) {
        Result decided = result.get();
        if (decided != null) {
          return decided;
        }
        if (Thread.interrupted()) {
          interrupted = true;
          if (interruptible && giveUp()) {
            interrupted = false;
            place.withdraw(this);
            throw new InterruptedException("interrupted while waiting for " + request.resource());
          }
        }
        if (nudged) {
          nudged = false;
          place.retry(this);
        } else if (timeLeft() <= 0) {
          timeOut(place);
        } else {
          park();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void timeOut(WaitQueue place) {
    if (result.compareAndSet(null, GAVE_UP)) {
      result.set(WaitOutcome.onTimeout(request, place.withdraw(this)));
    }
  }

  private void park() {
    Client client = request.client();
    World world = client.world();
    long elapsed = world.nanoTime() - request.startedAt();
    long untilLook = (elapsed < NESTED ? NESTED : CONCERN) - elapsed;
    if (untilLook <= 0 || untilLook >= timeLeft()) {
      world.park(this, timeLeft());
      return;
    }
    world.park(this, untilLook);
    long waited = world.nanoTime() - request.startedAt();
    if (elapsed < NESTED && waited >= NESTED) {
      warned = client.concernForItself(request);
    }
    if (!warned && waited >= CONCERN) {
      client.concern(request);
      warned = true;
    }
  }

  private long timeLeft() {
    return wait == NO_LIMIT
        ? NO_LIMIT
        : wait - (request.client().world().nanoTime() - request.startedAt());
  }

  /**
   * Waits as a future: arms the timers that a parked thread does not need.
   *
   * @return completes with the result; completing it from outside gives up
   */
  CompletableFuture<Result> watch(WaitQueue place) {
    CompletableFuture<Result> mine = Objects.requireNonNull(future);
    if (isDecided()) {
      return mine;
    }
    World world = request.client().world();
    Runnable deadline = wait == NO_LIMIT ? () -> {} : world.schedule(wait, () -> expire(place));
    Runnable concern =
        wait <= CONCERN
            ? () -> {}
            : world.schedule(CONCERN, () -> request.client().concern(request));
    return mine.whenComplete(
        (got, failure) -> {
          deadline.run();
          concern.run();
        });
  }

  private void expire(WaitQueue place) {
    if (result.compareAndSet(null, GAVE_UP)) {
      Result verdict = WaitOutcome.onTimeout(request, place.withdraw(this));
      CompletableFuture<Result> ended = Objects.requireNonNull(future);
      request.client().call(() -> ended.complete(verdict));
    }
  }
}
