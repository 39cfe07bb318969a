package io.holdfast;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Something that can be held: a mutex, a side of a read/write lock or permits of a semaphore.
 * Stateless and cheap; make one wherever it is needed. Not re-entrant: two acquires are two claims,
 * whatever thread makes them ({@link #asJavaLock()} is the thread-owned, re-entrant view).
 *
 * <pre>{@code
 * try (Hold hold = holdfast.lock("orders/42").acquire(Duration.ofSeconds(5))) {
 *   orders.save(order, hold.token());
 * }
 * }</pre>
 *
 * <p>Every method that waits ends at its time, also when the store hangs, and leaves nothing behind
 * when it ends without a hold: by timeout, interrupt, cancel, error or close.
 */
public interface DistributedLock {

  /** The name, as it was given. */
  String name();

  /** Waits as long as it takes, also while the store is away. */
  Hold acquire() throws InterruptedException;

  /**
   * Waits for a bounded time.
   *
   * @throws LockTimeoutException when others held it, naming one of them
   * @throws StoreUnavailableException when the store said nothing
   * @throws OutcomeUnknownException when an attempt is in doubt
   * @throws LockRefusedException when waiting would not help
   * @throws OverloadedException when too much waits already
   */
  Hold acquire(Duration wait) throws InterruptedException;

  /**
   * Asks once.
   *
   * @return empty only when the store said busy
   * @throws HoldfastException as {@link #acquire(Duration)}, except for the timeout
   */
  Optional<Hold> tryAcquire() throws InterruptedException;

  /**
   * Waits for a bounded time.
   *
   * @return empty only when the store said busy
   * @throws HoldfastException as {@link #acquire(Duration)}, except for the timeout
   */
  Optional<Hold> tryAcquire(Duration wait) throws InterruptedException;

  /**
   * Asks without blocking. The future completes on a thread where it may block, with what {@link
   * #acquire(Duration)} would answer or throw; cancelling it leaves the line.
   */
  CompletableFuture<Hold> acquireAsync(Duration wait);

  /**
   * Runs the body under the lock. The hold is released when the body ends; if it was lost
   * meanwhile, that is thrown, unless the body itself throws.
   */
  default <T, X extends Exception> T call(Duration wait, Body<T, X> body)
      throws X, InterruptedException {
    try (Hold hold = acquire(wait)) {
      return body.run(hold);
    }
  }

  /**
   * The {@code java.util.concurrent} view: owned by the thread, re-entrant (the count is local, the
   * token stays the same), {@code lock()} is uninterruptible and keeps the flag, {@code
   * newCondition()} is unsupported. Renewal ends when the thread dies. {@link JavaLock#hold()} has
   * the token for guards.
   */
  JavaLock asJavaLock();

  /** What runs under a lock. */
  @FunctionalInterface
  interface Body<T, X extends Exception> {

    /** Runs while the hold is held; give its token to guards. */
    T run(Hold hold) throws X;
  }
}
