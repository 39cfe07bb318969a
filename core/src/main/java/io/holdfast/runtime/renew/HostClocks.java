package io.holdfast.runtime.renew;

import io.holdfast.World;
import io.holdfast.spi.support.LeaseClock;

/**
 * The monotonic clock and the wall clock of this host.
 *
 * <p>A suspension stops the first and not the second, so the difference between them shows it.
 */
public class HostClocks {

  private final LeaseClock clock;

  public HostClocks(World world) {
    this.clock = new LeaseClock(world::nanoTime, world::epochMicros);
  }

  /** Reads the monotonic clock. */
  public final long nanos() {
    return clock.nanoTime();
  }

  /** Returns how far the wall clock is ahead of the monotonic clock, which was read before. */
  public final long apart(long nanos) {
    return clock.aheadNanos(nanos);
  }

  /** Reads both clocks, for a verb that is sent next. */
  public SendTime sending() {
    LeaseClock.Moment now = clock.now();
    return new SendTime(now.nanos(), now.aheadNanos());
  }
}
