package io.holdfast.spi;

/**
 * Notifies a waiter, for one of its attempts.
 *
 * <p>Calls may come too often, late or never, from any thread; they do not block and do not throw.
 * The engine must not hold a lock of its own while it calls.
 */
@FunctionalInterface
public interface Wake {

  /** Another attempt is worthwhile: a hint without facts. */
  void wake();

  /**
   * The ticket is granted: the store granted it while it waited, after it had executed the attempt
   * that this wake was passed to, and before it executed a later one of the same ticket. The waiter
   * need not attempt again, but may; a waiter that misses the call attempts after a while and gets
   * the same result.
   *
   * <p>Only for an engine that can match a message to its attempt, and whose store treats such a
   * grant like one in a reply. It must not prolong the lease that the attempt was given: a dead
   * waiter would cost the waiters behind it one more lease.
   *
   * @param granted as a reply to that attempt would be: its validity counts from that call
   */
  default void granted(Standing.Granted granted) {
    wake();
  }
}
