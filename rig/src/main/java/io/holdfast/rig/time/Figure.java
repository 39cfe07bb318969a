package io.holdfast.rig.time;

import io.holdfast.tck.TooLateError;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;

/** Prints what a test measured; fails only far beyond the bound. */
public final class Figure {

  /** A busy machine may take this many times as long as it should. */
  public static final int SLACK = 5;

  private Figure() {}

  /** Prints a line; the format is that of {@link String#format}. */
  public static void print(String format, Object... values) {
    System.out.println("figure: " + String.format(Locale.ROOT, format, values));
  }

  /** Prints how long something took and fails if it was more than five times the bound. */
  public static void within(Duration bound, long nanos, String what) {
    print("%s after %,d ms (bound %,d ms)", what, nanos / 1_000_000, bound.toMillis());
    if (nanos > SLACK * bound.toNanos()) {
      throw new TooLateError(
          what + " took " + nanos / 1_000_000 + " ms, the bound is " + bound.toMillis() + " ms");
    }
  }

  /** Fails with {@link TooLateError} if any of them had no reply in time. */
  public static void none(long late, String what) {
    if (late > 0) {
      throw new TooLateError(late + " " + what);
    }
  }

  /** As {@link #within(Duration, long, String)}, for the time since that {@code nanoTime}. */
  public static void since(long then, Duration bound, String what) {
    within(bound, System.nanoTime() - then, what);
  }

  /** As {@link #within(Duration, long, String)}, for work that is done now. */
  public static <T> T within(Duration bound, String what, Supplier<T> work) {
    long start = System.nanoTime();
    T result = work.get();
    since(start, bound, what);
    return result;
  }

  /** As {@link #within(Duration, String, Supplier)}, for work without a result. */
  public static void within(Duration bound, String what, Runnable work) {
    long start = System.nanoTime();
    work.run();
    since(start, bound, what);
  }

  /** Prints how many came late; fails with {@link TooLateError} if more than so many did. */
  public static void lateAtMost(int bound, int late, String what) {
    print("%s: %,d (bound %,d)", what, late, bound);
    if (late > bound) {
      throw new TooLateError(what + ": " + late + ", the bound is " + bound);
    }
  }

  /** Nanoseconds in milliseconds. */
  public static double millis(long nanos) {
    return nanos / 1e6;
  }

  /** The value that so many percent of the sorted ones do not exceed, in milliseconds. */
  public static double percentile(long[] sorted, int percent) {
    int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
    return millis(sorted[Math.max(0, rank - 1)]);
  }
}
