package io.holdfast.ids.internal;

import io.holdfast.spi.support.DurationText;
import java.time.Duration;

/** Checks the bounds of durations in options. */
public final class DurationChecks {

  private DurationChecks() {}

  /** Rejects a duration outside its bounds. */
  public static void require(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          name
              + " must be "
              + DurationText.of(least)
              + " to "
              + DurationText.of(most)
              + ": "
              + name
              + "="
              + DurationText.of(value));
    }
  }

  static long micros(Duration time) {
    return time.toNanos() / 1000;
  }
}
