package io.holdfast.spring;

/** What a call does when the lock is still busy at the end of its wait. */
public enum OnBusy {
  /** The caller gets {@link io.holdfast.LockTimeoutException}, which names a holder. */
  THROW,
  /**
   * The method is not called. The caller gets nothing: an empty {@link java.util.Optional}, a
   * future that completes with null, an empty publisher. Only for methods whose callers can see
   * that: void, {@code Optional}, futures and publishers.
   */
  SKIP
}
