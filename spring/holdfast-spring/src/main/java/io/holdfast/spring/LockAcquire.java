package io.holdfast.spring;

import io.holdfast.DistributedLock;
import io.holdfast.DistributedReadWriteLock;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Acquires the names of one call within one wait, all or none, in the order of their bytes, so that
 * overlapping calls never deadlock.
 */
final class LockAcquire {

  private static final Comparator<String> BYTES =
      Comparator.comparing(name -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

  private final LockedOperation operation;
  private final Holdfast client;
  private final List<String> names;
  private final long started = System.nanoTime();

  LockAcquire(LockedOperation operation, Holdfast client, List<String> names) {
    this.operation = operation;
    this.client = client;
    this.names = names.stream().sorted(BYTES).toList();
  }

  /**
   * Waits on the calling thread.
   *
   * @throws LockTimeoutException when one of them is busy; none is held then
   */
  List<HeldLock> acquire() throws InterruptedException {
    List<HeldLock> locks = new ArrayList<>();
    try {
      for (String name : names) {
        locks.add(held(name, lock(name).acquire(remaining())));
      }
      return locks;
    } catch (InterruptedException | RuntimeException | Error e) {
      for (int i = locks.size() - 1; i >= 0; i--) {
        locks.get(i).hold().release();
      }
      throw e;
    }
  }

  /** Acquires without blocking. Cancelling the future gives up, and releases what was acquired. */
  CompletableFuture<List<HeldLock>> acquireAsync() {
    CompletableFuture<List<HeldLock>> all = new CompletableFuture<>();
    AtomicReference<@Nullable CompletableFuture<Hold>> pending = new AtomicReference<>();
    next(new ArrayList<>(), all, pending);
    var unused =
        all.whenComplete(
            (locks, failure) -> {
              CompletableFuture<Hold> waiting = pending.get();
              if (failure != null && waiting != null) {
                waiting.cancel(true);
              }
            });
    return all;
  }

  private void next(
      List<HeldLock> locks,
      CompletableFuture<List<HeldLock>> all,
      AtomicReference<@Nullable CompletableFuture<Hold>> pending) {
    if (all.isDone() || locks.size() == names.size()) {
      if (!all.complete(locks)) {
        releaseAll(locks);
      }
      return;
    }
    String name = names.get(locks.size());
    CompletableFuture<Hold> one;
    try {
      one = lock(name).acquireAsync(remaining());
    } catch (RuntimeException | Error e) {
      // Such as a name that is too long: nobody else would see it, or release the others.
      all.completeExceptionally(e);
      releaseAll(locks);
      return;
    }
    pending.set(one);
    if (all.isDone()) {
      one.cancel(true);
    }
    var unused =
        one.whenComplete(
            (hold, failure) -> {
              if (failure != null) {
                all.completeExceptionally(cause(failure));
                releaseAll(locks);
                return;
              }
              locks.add(held(name, hold));
              next(locks, all, pending);
            });
  }

  /** Releases holds in reverse order, without blocking. */
  static void releaseAll(List<HeldLock> locks) {
    for (int i = locks.size() - 1; i >= 0; i--) {
      var unused = locks.get(i).hold().releaseAsync();
    }
  }

  static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  private HeldLock held(String name, Hold hold) {
    return new HeldLock(client, name, operation.side(), hold, operation.fencedBy());
  }

  private DistributedLock lock(String name) {
    Holdfast tagged = client.tagged(operation.name().tag());
    if (operation.side() == LockSide.EXCLUSIVE) {
      return tagged.lock(name);
    }
    DistributedReadWriteLock both = tagged.readWriteLock(name);
    return operation.side() == LockSide.READ ? both.readLock() : both.writeLock();
  }

  private Duration remaining() {
    Duration passed = Duration.ofNanos(System.nanoTime() - started);
    Duration left = operation.waitFor().minus(passed);
    return left.isNegative() || operation.waitFor().isZero() ? Duration.ZERO : left;
  }
}
