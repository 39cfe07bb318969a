package io.holdfast.etcd.wire;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How fast streams are opened: after one on which something was denied, no faster than once a
 * second. Guarded by the lock of {@link Watches}.
 */
final class Pace {

  private static final Duration QUIET = Duration.ofSeconds(1);

  private final LongSupplier nanoTime;
  private long opened;
  private long next;

  Pace(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.next = nanoTime.getAsLong();
  }

  boolean mayOpen() {
    return nanoTime.getAsLong() - next >= 0;
  }

  void opened() {
    opened = nanoTime.getAsLong();
  }

  /** Something was denied on the one that was opened last. */
  void denied() {
    next = opened + QUIET.toNanos();
  }
}
