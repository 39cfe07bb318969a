package io.holdfast;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The future of an acquire: what ends it from outside leaves the line, or gives the hold back. */
final class AsyncAcquire {

  private final Waiter waiter;
  private final Place place;
  private final CompletableFuture<Hold> future = new CompletableFuture<>();

  AsyncAcquire(Waiter waiter, Place place) {
    this.waiter = waiter;
    this.place = place;
  }

  CompletableFuture<Hold> future() {
    var unused = waiter.watch(place).thenAccept(this::ended);
    var unusedToo = future.whenComplete(this::completed);
    return future;
  }

  private void ended(Waiter.Result result) {
    if (result instanceof Waiter.Result.Got got) {
      got.hold().tenure().begin();
      if (!future.complete(got.hold())) {
        got.hold().tenure().release(outcome -> {});
      }
    } else if (result instanceof Waiter.Result.Busy busy) {
      future.completeExceptionally(Verdict.timeout(waiter.request(), busy.word()));
    } else if (result instanceof Waiter.Result.Failed failed) {
      future.completeExceptionally(failed.failure());
    }
    if (!(result instanceof Waiter.Result.Got)) {
      tellEnd(Verdict.why(result));
    }
  }

  private void completed(@Nullable Hold hold, @Nullable Throwable failure) {
    if (waiter.giveUp()) {
      place.withdraw(waiter);
    }
  }

  private void tellEnd(HoldfastListener.Why why) {
    Request request = waiter.request();
    request
        .view()
        .tell(() -> new HoldfastListener.NotAcquired(request.name().tag(), why, request.waited()));
  }
}
