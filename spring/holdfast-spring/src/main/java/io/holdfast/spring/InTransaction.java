package io.holdfast.spring;

/** What happens when a lock is to be acquired while a transaction is active on the thread. */
public enum InTransaction {
  /**
   * The call fails. Released at the end of the method, the lock would be free before the commit:
   * the next holder would read old data. Released after it, the transaction may still have read
   * before it had the lock.
   */
  REFUSE,
  /**
   * The lock is released after the transaction has ended. Refused at REPEATABLE READ and above,
   * where the transaction may go on reading what it saw before it had the lock.
   */
  DEFER,
  /** The lock is released at the end of the method, before the commit. It protects no data then. */
  RELEASE
}
