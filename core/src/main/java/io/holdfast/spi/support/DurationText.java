package io.holdfast.spi.support;

import java.math.BigDecimal;
import java.time.Duration;

/**
 * Writes a duration the way messages show it: {@code 10 s}, {@code 250 ms}, {@code 1.5 s}.
 *
 * <p>The value is exact to the nanosecond. Durations of a second or more are in seconds, shorter
 * ones in milliseconds, and those below a millisecond in microseconds.
 */
public final class DurationText {

  private static final int NANO_DIGITS = 9;
  private static final int MILLI_DIGITS = 6;
  private static final int MICRO_DIGITS = 3;

  private DurationText() {}

  /** Returns the text of a duration. */
  public static String of(Duration duration) {
    if (duration.isZero()) {
      return "0 s";
    }
    Duration size = duration.abs();
    BigDecimal nanos =
        BigDecimal.valueOf(duration.getSeconds())
            .movePointRight(NANO_DIGITS)
            .add(BigDecimal.valueOf(duration.getNano()));
    if (size.toSeconds() >= 1) {
      return text(nanos, NANO_DIGITS) + " s";
    }
    return size.toMillis() >= 1
        ? text(nanos, MILLI_DIGITS) + " ms"
        : text(nanos, MICRO_DIGITS) + " us";
  }

  private static String text(BigDecimal nanos, int digits) {
    return nanos.movePointLeft(digits).stripTrailingZeros().toPlainString();
  }
}
