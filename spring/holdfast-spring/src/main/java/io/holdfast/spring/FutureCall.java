package io.holdfast.spring;

import io.holdfast.Hold;
import io.holdfast.LockLostException;
import io.holdfast.LockTimeoutException;
import io.holdfast.Outcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * Runs a method that returns a stage: the holds last until the stage completes. The method is
 * called on another thread than its caller's, where it may block.
 */
final class FutureCall {

  private final LockedInterceptor.LockedCall locked;
  private final LockedOperation operation;
  private final MethodInvocation call;
  private final CompletableFuture<@Nullable Object> result = new CompletableFuture<>();

  FutureCall(LockedInterceptor.LockedCall locked) {
    this.locked = locked;
    this.operation = locked.operation();
    // The original invocation is over when this thread returns.
    this.call = ((ProxyMethodInvocation) locked.call()).invocableClone();
  }

  CompletableFuture<@Nullable Object> run() {
    CompletableFuture<List<HeldLock>> acquiring = locked.acquire(List.of()).acquireAsync();
    var unused =
        result.whenComplete(
            (value, failure) -> {
              if (result.isCancelled()) {
                acquiring.cancel(true);
              }
            });
    CallThreads.whenAcquired(acquiring, this::acquired);
    return result;
  }

  private void acquired(@Nullable List<HeldLock> locks, @Nullable Throwable failure) {
    if (locks == null) {
      Throwable cause = LockAcquire.cause(failure == null ? new IllegalStateException() : failure);
      if (cause instanceof LockTimeoutException && operation.onBusy() == OnBusy.SKIP) {
        result.complete(operation.shape().skipped());
      } else {
        result.completeExceptionally(cause);
      }
      return;
    }
    if (result.isDone()) {
      LockAcquire.releaseAll(locks);
      return;
    }
    List<HeldLock> all = locked.ordered(List.of(), locks);
    try {
      operation.token().set(call.getArguments(), all);
      Object stage = HoldChain.with(all, call::proceed);
      if (!(stage instanceof CompletionStage<?> running)) {
        throw new IllegalStateException(operation.where() + " returned null instead of a stage");
      }
      var unused = running.whenComplete((value, thrown) -> release(all, value, thrown));
    } catch (Throwable t) {
      release(all, null, t);
    }
  }

  private void release(List<HeldLock> locks, @Nullable Object value, @Nullable Throwable thrown) {
    var unused =
        releaseAsync(locks)
            .whenComplete(
                (lost, failure) -> {
                  if (thrown != null) {
                    Throwable cause = LockAcquire.cause(thrown);
                    if (lost != null) {
                      cause.addSuppressed(lost);
                    }
                    result.completeExceptionally(cause);
                  } else if (lost != null) {
                    result.completeExceptionally(lost);
                  } else {
                    result.complete(value);
                  }
                });
  }

  /** Releases in reverse order without blocking; the future has the first loss, or null. */
  static CompletableFuture<@Nullable LockLostException> releaseAsync(List<HeldLock> locks) {
    CompletableFuture<@Nullable LockLostException> all = CompletableFuture.completedFuture(null);
    for (int i = locks.size() - 1; i >= 0; i--) {
      Hold hold = locks.get(i).hold();
      all =
          all.thenCompose(
              lost ->
                  hold.releaseAsync()
                      .thenApply(outcome -> lost != null ? lost : lost(hold, outcome)));
    }
    return all;
  }

  private static @Nullable LockLostException lost(Hold hold, Outcome outcome) {
    return outcome == Outcome.LOST ? hold.loss().map(LockLostException::new).orElse(null) : null;
  }
}
