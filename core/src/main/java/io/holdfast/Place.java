package io.holdfast;

/** Where a waiter stands while it waits. */
interface Place {

  /** The waiter has given up: takes it out, and leaves if it was the last. */
  void withdraw(Waiter waiter);

  /** The waiter was nudged: it may take what is free, unless another was quicker. */
  void retry(Waiter waiter);

  /** What the store has said so far. */
  Word word();
}
