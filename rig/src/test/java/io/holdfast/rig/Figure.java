package io.holdfast.rig;

import java.time.Duration;
import java.util.function.Supplier;

/** What a test measured: printed on one line, and a failure only far beyond its bound. */
final class Figure {
  /** A busy machine may take this many times as long as it should. */
  private static final int SLACK = 5;

  private Figure() {}

  /** Does it, prints how long it took and fails if that was more than five times the bound. */
  static <T> T within(Duration bound, String what, Supplier<T> work) {
    long start = System.nanoTime();
    T result = work.get();
    long millis = (System.nanoTime() - start) / 1_000_000;
    System.out.printf("figure: %s in %,d ms (bound %,d ms)%n", what, millis, bound.toMillis());
    if (millis > SLACK * bound.toMillis()) {
      throw new AssertionError(what + " took " + millis + " ms, the bound is " + bound);
    }
    return result;
  }

  /** As {@link #within(Duration, String, Supplier)}, for work without a result. */
  static void within(Duration bound, String what, Runnable work) {
    Object ignored =
        within(
            bound,
            what,
            () -> {
              work.run();
              return true;
            });
  }
}
