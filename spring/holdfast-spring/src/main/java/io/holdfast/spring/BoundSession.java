package io.holdfast.spring;

/**
 * What happens when a JPA session is bound to the thread at the acquire, as in a web request with
 * {@code spring.jpa.open-in-view}. Such a session returns entities that were read before the lock
 * was held.
 */
public enum BoundSession {
  /**
   * The method gets sessions of its own; the bound one is restored afterwards. It is put away
   * before the lock is waited for, and a session of Hibernate gives its connection back to the pool
   * for that time.
   */
  PUT_AWAY,
  /** The call fails. */
  REFUSE,
  /** The method uses the bound session. It may write back what it had read before the lock. */
  IGNORE
}
