package io.holdfast.torture;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The time in which faults are made: waits end early when it is over. */
final class FaultTime {
  private final CountDownLatch over = new CountDownLatch(1);

  /** Waits; returns at once when the time of faults is over. */
  void sleep(Duration time) {
    try {
      boolean ignored = over.await(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      over.countDown();
    }
  }

  void end() {
    over.countDown();
  }

  boolean isOver() {
    return over.getCount() == 0;
  }
}
