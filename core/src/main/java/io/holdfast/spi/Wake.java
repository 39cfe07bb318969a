package io.holdfast.spi;

/**
 * How a store reaches one that waits, for one attempt of it. Calls may come too often, late or
 * never, from any thread; they do not block and do not throw. The engine holds no lock of its own
 * while it calls.
 */
@FunctionalInterface
public interface Wake {

  /** "Ask again": a hint without facts. */
  void wake();

  /**
   * The ticket is in: the store let it in while it waited, after it had executed the attempt that
   * this was given to, and before it executed a later one of the same ticket. Who hears it need not
   * ask, but may; one that hears nothing asks after a while, and is told the same.
   *
   * <p>Only for an engine that can tell which attempt a message belongs to, and whose store has
   * done for such a grant all that it does for one that is answered. It must not prolong what the
   * attempt was given: a waiter that is dead would cost those behind it one more lease.
   *
   * @param granted as an answer to that attempt would be: what is valid counts from that call
   */
  default void granted(Standing.Granted granted) {
    wake();
  }
}
