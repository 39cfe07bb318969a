package io.holdfast;

/** Where a waiter stands while it waits. */
interface Place {

  /**
   * The waiter has given up: takes it out, and leaves if it was the last.
   *
   * @return what the store has said
   */
  Word withdraw(Waiter waiter);

  /** The waiter was nudged: it may take what is free, unless another was quicker. */
  void retry(Waiter waiter);
}
