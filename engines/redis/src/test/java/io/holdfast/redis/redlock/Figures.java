package io.holdfast.redis.redlock;

import java.util.Arrays;
import java.util.Locale;

/** What tests measured, each on one line. */
final class Figures {

  private Figures() {}

  static void print(String format, Object... values) {
    System.out.println("figure: redlock: " + String.format(Locale.ROOT, format, values));
  }

  static double millis(long nanos) {
    return nanos / 1e6;
  }

  /** The median and the largest, in words. */
  static String spread(long[] nanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return String.format(
        Locale.ROOT,
        "median %.2f ms, longest %.1f ms",
        millis(sorted[sorted.length / 2]),
        millis(sorted[sorted.length - 1]));
  }
}
