package io.holdfast.jdbc.table;

/** What reading rows does about locks, which last until the transaction ends. */
enum Locking {
  /** Locks none, and waits for none. */
  NONE,
  /** Locks them all, and waits for those that others have locked. */
  WAIT,
  /** Locks those that it can, and leaves out the others. */
  SKIP
}
