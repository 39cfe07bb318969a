package io.holdfast.spring;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The transaction of the calling thread. Loaded only where Spring's transactions are there. */
final class ActiveTransaction {

  private static final boolean JDBC =
      CallSurroundings.isPresent("org.springframework.jdbc.datasource.ConnectionHolder");
  private static final int UNKNOWN = -1;

  private ActiveTransaction() {}

  static boolean isActive() {
    return TransactionSynchronizationManager.isActualTransactionActive();
  }

  /**
   * Fails unless every statement of the transaction reads what is committed at that moment.
   *
   * @param refused the beginning of the message
   */
  static void requireFreshReads(String refused) {
    int isolation = isolation();
    if (isolation == UNKNOWN) {
      throw new IllegalStateException(
          refused
              + ": a transaction of unknown isolation is active; declare READ_COMMITTED on"
              + " @Transactional, or call the method outside of transactions");
    }
    if (isolation > Connection.TRANSACTION_READ_COMMITTED) {
      throw new IllegalStateException(
          refused
              + ": a transaction at REPEATABLE READ or above is active, which may go on reading"
              + " what it saw before the lock; use READ_COMMITTED, or call the method outside of"
              + " transactions");
    }
  }

  private static int isolation() {
    Integer declared = TransactionSynchronizationManager.getCurrentTransactionIsolationLevel();
    if (declared != null) {
      return declared;
    }
    return JDBC ? ofConnections() : UNKNOWN;
  }

  /** Returns the highest level of the connections that are bound to the thread. */
  private static int ofConnections() {
    int highest = UNKNOWN;
    for (Object resource : TransactionSynchronizationManager.getResourceMap().values()) {
      if (resource instanceof ConnectionHolder holder) {
        try {
          highest = Math.max(highest, holder.getConnection().getTransactionIsolation());
        } catch (SQLException e) {
          return UNKNOWN;
        }
      }
    }
    return highest;
  }

  /** Releases after the commit or rollback; a loss that is known before the commit prevents it. */
  static void releaseAtEnd(List<HeldLock> locks) {
    if (!TransactionSynchronizationManager.isSynchronizationActive()) {
      LockAcquire.releaseAll(locks);
      throw new IllegalStateException(
          "the end of the active transaction cannot be seen: its manager has no synchronization");
    }
    HoldChain.Deferred deferred = HoldChain.defer(locks);
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void beforeCommit(boolean readOnly) {
            locks.forEach(lock -> lock.hold().ensureHeld());
          }

          @Override
          public void afterCompletion(int status) {
            deferred.end();
            for (int i = locks.size() - 1; i >= 0; i--) {
              locks.get(i).hold().release();
            }
          }
        });
  }
}
