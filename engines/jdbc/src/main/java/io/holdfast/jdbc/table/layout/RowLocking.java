package io.holdfast.jdbc.table.layout;

/** How reading rows locks them, until the transaction ends. */
public enum RowLocking {
  /** Locks no row and waits for none. */
  NONE,
  /** Locks all rows, and waits for rows that other clients have locked. */
  WAIT,
  /** Locks the free rows and leaves out the others. */
  SKIP
}
