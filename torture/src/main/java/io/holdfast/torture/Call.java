package io.holdfast.torture;

import org.jspecify.annotations.Nullable;

/**
 * One call for a lock and its result, as its process recorded it. All times are of the machine's
 * one monotonic clock, in nanoseconds.
 */
final class Call {
  final String process;
  final int worker;
  final TestedLock testedLock;
  final boolean exclusive;
  final long waitNanos;

  /** Read before the call. */
  final long called;

  /** Read after the call returned with a hold; 0 if it did not. */
  long granted;

  /** Read after the call returned without a hold; 0 if it did not. */
  long refused;

  /** Why there is no hold. */
  @Nullable String why;

  long token;
  @Nullable String holdId;

  /** Read before the last look at {@code isHeld()} that was true; 0 if none was. */
  long believed;

  /** Read after the first look that was false though nobody had released; 0 if none was. */
  long disbelieved;

  /** When the loss callback came; 0 if it did not. */
  long told;

  /** Read before the release; 0 if there was none. */
  long released;

  Call(
      String process,
      int worker,
      TestedLock testedLock,
      boolean exclusive,
      long waitNanos,
      long called) {
    this.process = process;
    this.worker = worker;
    this.testedLock = testedLock;
    this.exclusive = exclusive;
    this.waitNanos = waitNanos;
    this.called = called;
  }

  boolean isGranted() {
    return granted != 0;
  }

  /** Whether it came back at all. */
  boolean isOver() {
    return granted != 0 || refused != 0;
  }

  /**
   * Whether the process was seen to believe. From the grant to the last look that was true it
   * surely did: a hold that is over does not come back.
   */
  boolean hasBelief() {
    return granted != 0 && believed > granted;
  }

  @Override
  public String toString() {
    return process + " with token " + token;
  }
}
