package io.holdfast.spi.support;

import java.time.Duration;

/** Durations as steps of a nanosecond clock. */
public final class Nanos {

  /** About 73 years: long enough, and sums with a clock reading still compare by difference. */
  private static final long MOST = Long.MAX_VALUE / 4;

  private static final long MOST_SECONDS = MOST / 1_000_000_000;

  private Nanos() {}

  /** Returns the duration in nanoseconds: 0 for a negative one, and never more than 73 years. */
  public static long of(Duration duration) {
    if (duration.isNegative()) {
      return 0;
    }
    return duration.toSeconds() < MOST_SECONDS ? duration.toNanos() : MOST;
  }
}
