package io.holdfast.runtime.acquire;

/** The queue in which a waiter stands. */
public interface WaitQueue {

  /**
   * The waiter has given up: removes it, and leaves the store if it was the last.
   *
   * @return what the store has reported
   */
  StoreReplies withdraw(Waiter waiter);

  /** The waiter was nudged: it may take a free claim, unless another thread was quicker. */
  void retry(Waiter waiter);
}
