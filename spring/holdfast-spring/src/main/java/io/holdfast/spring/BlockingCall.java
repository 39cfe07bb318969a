package io.holdfast.spring;

import io.holdfast.Hold;
import io.holdfast.LockTimeoutException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Runs a method that ends when it returns: acquire, run, release. */
final class BlockingCall {

  private final LockedInterceptor.LockedCall locked;
  private final LockedOperation operation;
  private final MethodInvocation call;
  private final CallSurroundings surroundings;

  BlockingCall(LockedInterceptor.LockedCall locked, CallSurroundings surroundings) {
    this.locked = locked;
    this.operation = locked.operation();
    this.call = locked.call();
    this.surroundings = surroundings;
  }

  @Nullable Object run() throws Throwable {
    List<HeldLock> joined = locked.joined(HoldChain.all());
    if (joined.size() == locked.names().size()) {
      surroundings.requireFenceOfJoined(locked, joined);
      List<HeldLock> shared = joined.stream().map(this::fenced).toList();
      return HoldChain.with(shared, () -> proceed(shared));
    }
    boolean deferred = surroundings.beforeAcquire(locked);
    return surroundings.withoutBoundSessions(() -> acquireAndRun(joined, deferred));
  }

  private @Nullable Object acquireAndRun(List<HeldLock> joined, boolean deferred) throws Throwable {
    List<HeldLock> acquired;
    try {
      acquired = locked.acquire(joined).acquire();
    } catch (LockTimeoutException busy) {
      if (operation.onBusy() == OnBusy.SKIP) {
        return operation.shape().skipped();
      }
      throw busy;
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    return deferred ? runDeferred(joined, acquired) : runAndRelease(joined, acquired);
  }

  /** A fence that the inner call asks for is claimed for a joined hold too. */
  private HeldLock fenced(HeldLock held) {
    return operation.fencedBy() == null ? held : held.withFence(operation.fencedBy());
  }

  private @Nullable Object runAndRelease(List<HeldLock> joined, List<HeldLock> acquired)
      throws Throwable {
    Throwable failure = null;
    try {
      List<HeldLock> all = locked.ordered(joined.stream().map(this::fenced).toList(), acquired);
      return HoldChain.with(all, () -> proceed(all));
    } catch (Throwable t) {
      failure = t;
      throw t;
    } finally {
      close(acquired, failure);
    }
  }

  private @Nullable Object runDeferred(List<HeldLock> joined, List<HeldLock> acquired)
      throws Throwable {
    List<HeldLock> all = locked.ordered(joined, acquired);
    return HoldChain.with(
        all,
        () -> {
          surroundings.releaseAfterTransaction(acquired);
          return proceed(all);
        });
  }

  private @Nullable Object proceed(List<HeldLock> all) throws Throwable {
    operation.token().set(call.getArguments(), all);
    return call.proceed();
  }

  /** Releases in reverse order, each independently. A loss never hides what the method threw. */
  private static void close(List<HeldLock> locks, @Nullable Throwable failure) {
    RuntimeException lost = null;
    for (int i = locks.size() - 1; i >= 0; i--) {
      Hold hold = locks.get(i).hold();
      try {
        hold.close();
      } catch (RuntimeException e) {
        if (lost == null) {
          lost = e;
        } else {
          lost.addSuppressed(e);
        }
      }
    }
    if (lost == null) {
      return;
    }
    if (failure == null) {
      throw lost;
    }
    failure.addSuppressed(lost);
  }

  /** The interrupt flag is set again, unless the method declares the exception. */
  private Exception interrupted(InterruptedException e) {
    boolean declared =
        Arrays.stream(operation.shape().method().getExceptionTypes())
            .anyMatch(type -> type.isAssignableFrom(InterruptedException.class));
    if (declared) {
      return e;
    }
    Thread.currentThread().interrupt();
    CancellationException cancelled =
        new CancellationException(
            operation.where() + " was interrupted while waiting for " + locked.names());
    cancelled.initCause(e);
    return cancelled;
  }
}
