package io.holdfast;

import java.util.concurrent.locks.Lock;

/**
 * A {@link Lock} over a distributed lock: owned by the thread, re-entrant, and with the hold of the
 * thread that has it, for guards.
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
   * The hold of the current thread, the same however often the thread has locked: its token is that
   * of the first {@code lock()}. It tells of a loss by {@link Hold#isHeld()} and {@link
   * Hold#onLoss}. It is given back by {@link #unlock()} alone: {@link Hold#release()} and {@link
   * Hold#close()} of it throw {@link UnsupportedOperationException}.
   *
   * <p>A writer that unlocks while it still reads gets another hold, with the same token.
   *
   * @throws IllegalMonitorStateException when the current thread has not locked this
   */
  Hold hold();
}
