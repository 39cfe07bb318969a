package io.holdfast.spring;

/** Which lock a name stands for. */
public enum LockSide {
  /** A mutex. */
  EXCLUSIVE,
  /** The shared side of a read/write lock. */
  READ,
  /** The exclusive side of a read/write lock. */
  WRITE
}
