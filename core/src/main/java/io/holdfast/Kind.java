package io.holdfast;

/** What an event or an acquire is about. */
public enum Kind {
  /** A mutex, alone or of a {@link MultiLock}. */
  MUTEX,
  /** The shared side of a read/write lock. */
  READ,
  /** The exclusive side of a read/write lock. */
  WRITE,
  /** Permits of a semaphore. */
  SEMAPHORE,
  /** A run of {@link Once}. */
  ONCE,
  /** The leadership of an {@link Election}. */
  ELECTION,
  /** No lock: the client itself, such as one of its connections. */
  CLIENT
}
