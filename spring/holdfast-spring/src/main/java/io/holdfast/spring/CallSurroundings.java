package io.holdfast.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * What surrounds a call on its thread and may be older than the lock: an active transaction, or a
 * bound JPA session.
 */
final class CallSurroundings {

  private static final boolean TRANSACTIONS =
      isPresent("org.springframework.transaction.support.TransactionSynchronizationManager");
  private static final boolean SESSIONS =
      TRANSACTIONS
          && isPresent("org.springframework.orm.jpa.EntityManagerHolder")
          && isPresent("jakarta.persistence.EntityManager");

  private final LockedSettings settings;

  CallSurroundings(LockedSettings settings) {
    this.settings = settings;
  }

  static boolean isPresent(String name) {
    return ClassUtils.isPresent(name, CallSurroundings.class.getClassLoader());
  }

  static boolean isInTransaction() {
    return TRANSACTIONS && ActiveTransaction.isActive();
  }

  /**
   * Checks what was there before the lock.
   *
   * @return whether the holds must be kept until the active transaction has ended
   * @throws IllegalStateException when the lock would not protect what the transaction or session
   *     has read
   */
  boolean beforeAcquire(LockedInterceptor.LockedCall locked) {
    if (!isInTransaction()) {
      if (settings.session() == BoundSession.REFUSE && SESSIONS && BoundSessions.areBound()) {
        throw new IllegalStateException(
            refused(locked)
                + ": a JPA session is bound to the thread, and may return entities that were read"
                + " before the lock; set spring.jpa.open-in-view=false, or"
                + " holdfast.locked.session=put-away");
      }
      return false;
    }
    if (locked.operation().fencedBy() != null) {
      throw new IllegalStateException(
          refused(locked)
              + ": a transaction is active, and fence = true needs transactions that begin under"
              + " the hold; call the method outside of transactions");
    }
    if (settings.inTransaction() == InTransaction.REFUSE) {
      throw activeTransaction(locked);
    }
    if (settings.inTransaction() == InTransaction.RELEASE) {
      return false;
    }
    ActiveTransaction.requireFreshReads(refused(locked));
    return true;
  }

  /**
   * For methods that return before their hold ends: their holds cannot be kept for the transaction.
   */
  void requireNoTransaction(LockedInterceptor.LockedCall locked) {
    if (settings.inTransaction() != InTransaction.RELEASE && isInTransaction()) {
      throw activeTransaction(locked);
    }
  }

  /** A fence must be claimed when a transaction begins: that has passed. */
  void requireFenceOfJoined(LockedInterceptor.LockedCall locked, List<HeldLock> joined) {
    String fencedBy = locked.operation().fencedBy();
    if (fencedBy != null
        && isInTransaction()
        && joined.stream().anyMatch(held -> !fencedBy.equals(held.fencedBy()))) {
      throw new IllegalStateException(
          refused(locked)
              + ": a transaction is active that has not claimed the fence; set fence = true on the"
              + " outer method");
    }
  }

  private static IllegalStateException activeTransaction(LockedInterceptor.LockedCall locked) {
    return new IllegalStateException(
        refused(locked)
            + ": a transaction is active, and may have read before the lock; call the method"
            + " outside of transactions, with @Transactional next to @Locked (it begins under the"
            + " lock and ends before the release), or set holdfast.locked.in-transaction=defer");
  }

  private static String refused(LockedInterceptor.LockedCall locked) {
    return locked.operation().where() + " does not acquire " + locked.names();
  }

  /** Keeps holds until the active transaction has ended. */
  void releaseAfterTransaction(List<HeldLock> locks) {
    ActiveTransaction.releaseAtEnd(locks);
  }

  /**
   * For methods that run on other threads: while the caller waits for one, its sessions have no
   * connection that the method could need.
   */
  void giveBackConnections() {
    if (SESSIONS && settings.session() != BoundSession.IGNORE && !isInTransaction()) {
      BoundSessions.giveBackConnections();
    }
  }

  /** Runs without the sessions that are bound to the thread, and restores them. */
  @Nullable Object withoutBoundSessions(HoldChain.Body body) throws Throwable {
    if (!SESSIONS || settings.session() != BoundSession.PUT_AWAY || isInTransaction()) {
      return body.run();
    }
    return BoundSessions.without(body);
  }
}
