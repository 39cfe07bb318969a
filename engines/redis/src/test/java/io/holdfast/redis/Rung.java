package io.holdfast.redis;

import io.holdfast.rig.Await;
import io.holdfast.spi.Wake;
import java.time.Duration;

/** Counts how often one that waits was told to look again. */
final class Rung implements Wake {

  private volatile int times;

  @Override
  public synchronized void wake() {
    times++;
  }

  int times() {
    return times;
  }

  /** Returns when it was told once more than this. */
  void awaitMoreThan(int before, Duration bound) {
    Await.until("a signal", bound, () -> times > before);
  }
}
