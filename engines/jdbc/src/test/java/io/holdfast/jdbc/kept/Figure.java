package io.holdfast.jdbc.kept;

import java.time.Duration;

/** What a test measured: printed on one line, and a failure only far beyond its bound. */
final class Figure {

  private static final int SLACK = 5;

  private Figure() {}

  /** Prints how long it is since then, and fails if that is more than five times the bound. */
  static void since(long then, Duration bound, String what) {
    Duration took = Duration.ofNanos(System.nanoTime() - then);
    System.out.println(
        "figure: "
            + what
            + " after "
            + took.toMillis()
            + " ms (bound "
            + bound.toMillis()
            + " ms)");
    if (took.compareTo(bound.multipliedBy(SLACK)) > 0) {
      throw new AssertionError(what + " took " + took + ", the bound is " + bound);
    }
  }
}
