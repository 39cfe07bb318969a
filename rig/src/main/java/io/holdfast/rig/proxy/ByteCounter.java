package io.holdfast.rig.proxy;

import java.util.concurrent.atomic.AtomicLong;

/** The bytes of one direction, over all connections. Counted by one thread, read by any. */
final class ByteCounter {
  private final AtomicLong passed = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();

  void addPassed(long bytes) {
    passed.addAndGet(bytes);
  }

  void addLost(long bytes) {
    lost.addAndGet(bytes);
  }

  long passed() {
    return passed.get();
  }

  long lost() {
    return lost.get();
  }
}
