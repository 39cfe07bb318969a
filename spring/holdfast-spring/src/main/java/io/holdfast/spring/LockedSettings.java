package io.holdfast.spring;

import java.time.Duration;
import java.util.Objects;
import org.springframework.core.Ordered;

/**
 * Settings of the annotations. Define a static bean of this type to change them; with Spring Boot
 * they are the properties {@code holdfast.locked.*}.
 *
 * @param waitFor how long {@link Locked} waits when it does not say
 * @param order the order of the advice among others: smaller is further outside. It must be outside
 *     of transactions
 * @param inTransaction what happens when a transaction is active at an acquire
 * @param session what happens when a JPA session is bound to the thread at an acquire
 * @param check whether the start fails when an annotated method cannot be guarded
 */
public record LockedSettings(
    Duration waitFor, int order, InTransaction inTransaction, BoundSession session, boolean check) {

  /** The order of {@link Locked}, well outside of {@code @Transactional} and {@code @Cacheable}. */
  public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

  /** Returns the default settings. */
  public static final LockedSettings DEFAULTS =
      new LockedSettings(
          Duration.ofSeconds(10), DEFAULT_ORDER, InTransaction.REFUSE, BoundSession.PUT_AWAY, true);

  public LockedSettings {
    if (waitFor.isNegative()) {
      throw new IllegalArgumentException("waitFor must not be negative: waitFor=" + waitFor);
    }
    if (order > Ordered.LOWEST_PRECEDENCE - 1) {
      throw new IllegalArgumentException(
          "order must be smaller than that of @Transactional, "
              + Ordered.LOWEST_PRECEDENCE
              + ", or the lock is released before the commit: order="
              + order);
    }
    Objects.requireNonNull(inTransaction, "inTransaction");
    Objects.requireNonNull(session, "session");
  }

  /** Returns a copy with another wait. */
  public LockedSettings withWaitFor(Duration value) {
    return new LockedSettings(value, order, inTransaction, session, check);
  }

  /** Returns a copy with another order. */
  public LockedSettings withOrder(int value) {
    return new LockedSettings(waitFor, value, inTransaction, session, check);
  }

  /** Returns a copy with another policy for active transactions. */
  public LockedSettings withInTransaction(InTransaction value) {
    return new LockedSettings(waitFor, order, value, session, check);
  }

  /** Returns a copy with another policy for bound sessions. */
  public LockedSettings withSession(BoundSession value) {
    return new LockedSettings(waitFor, order, inTransaction, value, check);
  }

  /** Returns a copy that checks annotated methods when the context starts, or not. */
  public LockedSettings withCheck(boolean value) {
    return new LockedSettings(waitFor, order, inTransaction, session, value);
  }
}
