package io.holdfast;

import io.holdfast.spi.Standing;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One caller that waits: a parked thread or a future. Gets one result by one compare-and-set, so
 * that a caller which has just given up is skipped and what it would have got goes to the next.
 */
final class Waiter {

  /** What a waiter can get. */
  sealed interface Result {

    /** The hold. */
    record Got(HeldLock hold) implements Result {}

    /** The store said busy. */
    record Busy(Word word) implements Result {}

    /** The run of this period is done. */
    record Done(Standing.Done done) implements Result {}

    /** It failed. */
    record Failed(HoldfastException failure) implements Result {}

    /** It gave up. */
    record GaveUp() implements Result {}
  }

  static final long NO_LIMIT = Long.MAX_VALUE;

  /** When a thread is warned that waits for itself. */
  private static final long NESTED = 1_000_000_000L;

  /** When a caller is warned that waits for its own client. */
  private static final long CONCERN = 10_000_000_000L;

  private static final Result.GaveUp GAVE_UP = new Result.GaveUp();

  private final Request request;
  private final long wait;
  private final boolean tryOnly;
  private final AtomicReference<@Nullable Result> result = new AtomicReference<>();
  private final @Nullable Thread thread;
  private final @Nullable CompletableFuture<Result> future;

  /** Whether it was warned; touched by its thread alone. */
  private boolean warned;

  /** Set by the line when it is worth a try; cleared by the waiter when it tries. */
  private volatile boolean nudged;

  private Waiter(
      Request request,
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

  static Waiter blocking(Request request, long wait, boolean tryOnly) {
    return new Waiter(request, wait, tryOnly, Thread.currentThread(), null);
  }

  static Waiter async(Request request, long wait, boolean tryOnly) {
    return new Waiter(request, wait, tryOnly, null, new CompletableFuture<>());
  }

  Request request() {
    return request;
  }

  boolean tryOnly() {
    return tryOnly;
  }

  /** Whether a nudge would only cost a detour: it has no thread that could be quicker. */
  boolean isAsync() {
    return thread == null;
  }

  boolean isDecided() {
    return result.get() != null;
  }

  /** Gives the result and tells; answers false when it has one, or gave up. */
  boolean offer(Result offered) {
    boolean given = give(offered);
    if (given) {
      tell();
    }
    return given;
  }

  /** Gives the result; {@link #tell} is still to be called. Answers as {@link #offer} does. */
  boolean give(Result given) {
    return result.compareAndSet(null, given);
  }

  /**
   * Wakes the caller who has a result or was nudged. Not to be called under a lock: whoever wakes
   * may run at once, in the place of the one that woke it, and would only wait for that lock.
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

  /** What tells it, and then says that the one before it has released. */
  Runnable telling(Consumer<Outcome> released) {
    return () -> {
      tell();
      released.accept(Outcome.RELEASED);
    };
  }

  /** Lets it try when it wakes; {@link #tell} is still to be called. */
  Waiter nudge() {
    nudged = true;
    return this;
  }

  /** Gives up; answers false when a result was quicker. */
  boolean giveUp() {
    boolean first = result.compareAndSet(null, GAVE_UP);
    if (first && future != null) {
      future.complete(GAVE_UP);
    }
    return first;
  }

  /**
   * Parks until there is a result, the time is up or, if it minds, the thread is interrupted.
   *
   * @throws InterruptedException when interrupted before there was a result; it has given up then
   */
  Result await(Place place, boolean interruptible) throws InterruptedException {
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

  private void timeOut(Place place) {
    if (result.compareAndSet(null, GAVE_UP)) {
      result.set(Verdict.onTimeout(request, place.withdraw(this)));
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
   * The future's side of waiting: arms the timers that a parked thread does not need.
   *
   * @return completes with the result; completing it from outside gives up
   */
  CompletableFuture<Result> watch(Place place) {
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

  private void expire(Place place) {
    if (result.compareAndSet(null, GAVE_UP)) {
      Result verdict = Verdict.onTimeout(request, place.withdraw(this));
      CompletableFuture<Result> ended = Objects.requireNonNull(future);
      request.client().call(() -> ended.complete(verdict));
    }
  }
}
