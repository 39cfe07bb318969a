package io.holdfast.memory;

import java.time.Duration;

/** Durations as steps of a nanosecond clock. */
final class Nanos {

  /** Some 73 years: far enough, and sums with a clock reading still compare by difference. */
  private static final long MOST = Long.MAX_VALUE / 4;

  private static final long MOST_SECONDS = MOST / 1_000_000_000;

  private Nanos() {}

  /** The duration in nanoseconds, cut to 0 from below and to decades from above. */
  static long of(Duration duration) {
    if (duration.isNegative()) {
      return 0;
    }
    return duration.toSeconds() < MOST_SECONDS ? duration.toNanos() : MOST;
  }
}
