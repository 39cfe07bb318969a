package io.holdfast.torture;

import java.util.List;

/**
 * A lock that workers compete for.
 *
 * @param capacity how much fits in at once
 */
record TestedLock(String name, Kind kind, int capacity) {

  private static final int READERS = 1000;
  private static final int PERMITS = 2;

  /** The kind of the lock. */
  enum Kind {
    ANY,
    FIFO,
    READ_WRITE,
    SEMAPHORE
  }

  /** All names of a run. */
  static final List<TestedLock> ALL =
      List.of(
          new TestedLock("any-0", Kind.ANY, 1),
          new TestedLock("any-1", Kind.ANY, 1),
          new TestedLock("fifo-0", Kind.FIFO, 1),
          new TestedLock("fifo-1", Kind.FIFO, 1),
          new TestedLock("read-write", Kind.READ_WRITE, READERS),
          new TestedLock("semaphore", Kind.SEMAPHORE, PERMITS));

  static TestedLock of(String name) {
    return ALL.stream()
        .filter(testedLock -> testedLock.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no such name in this run: " + name));
  }

  /** How much of the capacity a grant takes. */
  int weight(boolean exclusive) {
    return exclusive ? capacity : 1;
  }
}
