package io.holdfast;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A mutex, a side of a read/write lock, or permits of a semaphore.
 *
 * <p>Stateless and cheap; create one wherever it is needed. The {@link Hold} that an acquire
 * returns is the ownership. Not re-entrant: two acquires are two claims, even from the same thread.
 * {@link #asJavaLock()} is the thread-owned, re-entrant view.
 *
 * <pre>{@code
 * try (Hold hold = holdfast.lock("orders/42").acquire(Duration.ofSeconds(5))) {
 *   orders.save(order, hold.token());
 * }
 * }</pre>
 *
 * <p>Every method that waits ends in time, even when the store hangs. When it ends without a hold,
 * by timeout, interrupt, cancel, error or close, it leaves nothing in the store.
 */
public interface DistributedLock {

  /** Returns the name, as it was given. */
  String name();

  /** Waits without a limit, even while the store is unreachable. */
  Hold acquire() throws InterruptedException;

  /**
   * Waits for at most the given time.
   *
   * @throws LockTimeoutException when others held the lock; the message names a holder
   * @throws StoreUnavailableException when the store did not reply
   * @throws OutcomeUnknownException when an attempt is in doubt
   * @throws LockRefusedException when waiting would not help
   * @throws OverloadedException when too many attempts are queued already
   */
  Hold acquire(Duration wait) throws InterruptedException;

  /**
   * Tries once, for at most the operation timeout.
   *
   * @return the hold; empty only when the store reported busy
   * @throws HoldfastException as {@link #acquire(Duration)}, except for the timeout
   */
  Optional<Hold> tryAcquire() throws InterruptedException;

  /**
   * Waits for at most the given time.
   *
   * @return the hold; empty only when the store reported busy
   * @throws HoldfastException as {@link #acquire(Duration)}, except for the timeout
   */
  Optional<Hold> tryAcquire(Duration wait) throws InterruptedException;

  /**
   * Acquires without blocking. The future completes, on a thread where callbacks may block, with
   * what {@link #acquire(Duration)} would return or throw. Cancelling it leaves the line.
   */
  CompletableFuture<Hold> acquireAsync(Duration wait);

  /**
   * Acquires without blocking. The future completes, on a thread where callbacks may block, with
   * what {@link #tryAcquire(Duration)} would return or throw: it is empty only when the store
   * reported busy. Cancelling it leaves the line.
   */
  CompletableFuture<Optional<Hold>> tryAcquireAsync(Duration wait);

  /**
   * Runs the body under the lock and releases the hold afterwards. If the hold was lost meanwhile,
   * {@link LockLostException} is thrown, unless the body itself throws.
   */
  default <T, X extends Exception> T call(Duration wait, Body<T, X> body)
      throws X, InterruptedException {
    try (Hold hold = acquire(wait)) {
      return body.run(hold);
    }
  }

  /**
   * Returns the {@code java.util.concurrent} view. It is owned by the thread and re-entrant: the
   * count is local, the token stays the same. {@code lock()} is uninterruptible and keeps the
   * interrupt flag; {@code newCondition()} is unsupported. Renewal ends when the thread dies.
   * {@link JavaLock#hold()} has the token for guards.
   */
  JavaLock asJavaLock();

  /** Code that runs under a lock. */
  @FunctionalInterface
  interface Body<T, X extends Exception> {

    /** Runs while the hold is held. Pass its token to guards. */
    T run(Hold hold) throws X;
  }
}
