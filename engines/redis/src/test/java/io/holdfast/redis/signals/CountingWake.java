package io.holdfast.redis.signals;

import io.holdfast.rig.time.Await;
import io.holdfast.spi.Wake;
import java.time.Duration;

/** Counts how often one that waits was told to look again. */
public final class CountingWake implements Wake {

  private volatile int times;

  @Override
  public synchronized void wake() {
    times++;
  }

  public int times() {
    return times;
  }

  /** Returns when it was told once more than this. */
  public void awaitMoreThan(int before, Duration bound) {
    Await.until("a signal", bound, () -> times > before);
  }
}
