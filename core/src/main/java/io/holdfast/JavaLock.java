package io.holdfast;

import java.util.concurrent.locks.Lock;

/**
 * A {@link Lock} over a distributed lock: owned by the thread and re-entrant.
 *
 * <p>It gives access to the hold of the owning thread, for guards.
 *
 * <pre>{@code
 * JavaLock lock = holdfast.lock("orders/42").asJavaLock();
 * lock.lock();
 * try {
 *   orders.save(order, lock.hold().token());
 * } finally {
 *   lock.unlock();
 * }
 * }</pre>
 *
 * <p>{@code lock()} is uninterruptible and keeps the interrupt flag. {@code unlock()} throws {@link
 * LockLostException} when the lock was lost. {@code newCondition()} is unsupported.
 */
public interface JavaLock extends Lock {

  /**
   * Returns the hold of the current thread. It is the same however often the thread has locked: its
   * token is that of the first {@code lock()}. {@link Hold#isHeld()} and {@link Hold#onLoss} report
   * a loss. Only {@link #unlock()} releases it: its {@link Hold#release()} and {@link Hold#close()}
   * throw {@link UnsupportedOperationException}.
   *
   * <p>A writer that unlocks while it still reads gets another hold, with the same token.
   *
   * @throws IllegalMonitorStateException when the current thread has not locked this
   */
  Hold hold();
}
