package io.holdfast.runtime.acquire;

import io.holdfast.HoldfastException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The future of an acquire. Completing it from outside leaves the line or releases the hold.
 *
 * @param <T> what the acquire returns
 */
public final class AsyncAcquire<T> {

  private final Waiter waiter;
  private final WaitQueue place;
  private final Function<Waiter.Result, T> outcome;
  private final CompletableFuture<T> future = new CompletableFuture<>();

  /**
   * Creates the future of a waiter that has joined its queue.
   *
   * @param outcome turns a result other than a failure into what the future returns, or throws a
   *     {@link HoldfastException}; not called for a caller that gave up
   */
  public AsyncAcquire(Waiter waiter, WaitQueue place, Function<Waiter.Result, T> outcome) {
    this.waiter = waiter;
    this.place = place;
    this.outcome = outcome;
  }

  public CompletableFuture<T> future() {
    var unused = waiter.watch(place).thenAccept(this::ended);
    var unusedToo = future.whenComplete(this::completed);
    return future;
  }

  private void ended(Waiter.Result result) {
    if (result instanceof Waiter.Result.Got got) {
      got.hold().holdState().begin();
      if (!future.complete(outcome.apply(got))) {
        got.hold().holdState().release(released -> {});
      }
      return;
    }
    if (result instanceof Waiter.Result.Failed failed) {
      future.completeExceptionally(failed.failure());
    } else if (!(result instanceof Waiter.Result.GaveUp)) {
      try {
        future.complete(outcome.apply(result));
      } catch (HoldfastException e) {
        future.completeExceptionally(e);
      }
    }
    waiter.request().tellEnd(WaitOutcome.why(result));
  }

  private void completed(@Nullable T value, @Nullable Throwable failure) {
    if (waiter.giveUp()) {
      place.withdraw(waiter);
    }
  }
}
