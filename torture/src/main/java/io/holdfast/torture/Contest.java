package io.holdfast.torture;

import java.util.List;

/**
 * A name that workers fight for.
 *
 * @param capacity how much fits in at once
 */
record Contest(String name, Kind kind, int capacity) {

  private static final int READERS = 1000;
  private static final int PERMITS = 2;

  /** What is behind the name. */
  enum Kind {
    ANY,
    FIFO,
    READ_WRITE,
    SEMAPHORE
  }

  /** All names of a run. */
  static final List<Contest> ALL =
      List.of(
          new Contest("any-0", Kind.ANY, 1),
          new Contest("any-1", Kind.ANY, 1),
          new Contest("fifo-0", Kind.FIFO, 1),
          new Contest("fifo-1", Kind.FIFO, 1),
          new Contest("read-write", Kind.READ_WRITE, READERS),
          new Contest("semaphore", Kind.SEMAPHORE, PERMITS));

  static Contest of(String name) {
    return ALL.stream()
        .filter(contest -> contest.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no such name in this run: " + name));
  }

  /** How much of the capacity a grant takes. */
  int weight(boolean exclusive) {
    return exclusive ? capacity : 1;
  }
}
