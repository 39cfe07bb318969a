package io.holdfast.redis.faults;

import java.time.Duration;
import java.util.Locale;

/** What a test measured: printed on one line, and a failure only far beyond its bound. */
final class Figure {

  /** A busy machine may take this many times as long as it should. */
  static final int SLACK = 5;

  private Figure() {}

  static void print(String format, Object... values) {
    System.out.println("figure: " + String.format(Locale.ROOT, format, values));
  }

  /** Prints how long something took and fails if it was more than five times the bound. */
  static void within(Duration bound, long nanos, String what) {
    print("%s after %,d ms (bound %,d ms)", what, nanos / 1_000_000, bound.toMillis());
    if (nanos > SLACK * bound.toNanos()) {
      throw new AssertionError(
          what + " took " + nanos / 1_000_000 + " ms, the bound is " + bound.toMillis() + " ms");
    }
  }

  static double millis(long nanos) {
    return nanos / 1e6;
  }

  /** The value that so many percent of the sorted ones do not exceed. */
  static double percentile(long[] sorted, int percent) {
    int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
    return millis(sorted[Math.max(0, rank - 1)]);
  }
}
