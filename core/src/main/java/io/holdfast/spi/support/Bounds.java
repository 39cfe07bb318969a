package io.holdfast.spi.support;

import java.time.Duration;

/**
 * Checks options against their bounds. Every error names the value and the rule.
 *
 * <p>The message is the same for every option, such as {@code lease must be 2 s..60 s: lease=1 s}.
 */
public final class Bounds {

  private Bounds() {}

  /**
   * Checks a duration.
   *
   * @param name the name of the option
   * @throws IllegalArgumentException when the value is below the least or above the most
   */
  public static void require(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw failure(name, DurationText.of(value), DurationText.of(least), DurationText.of(most));
    }
  }

  /**
   * Checks a whole number.
   *
   * @param name the name of the option
   * @throws IllegalArgumentException when the value is below the least or above the most
   */
  public static void require(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw failure(name, Long.toString(value), Long.toString(least), Long.toString(most));
    }
  }

  /**
   * Checks a number with a fraction.
   *
   * @param name the name of the option
   * @throws IllegalArgumentException when the value is below the least, above the most, or NaN
   */
  public static void requireFraction(String name, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw failure(name, Double.toString(value), Double.toString(least), Double.toString(most));
    }
  }

  private static IllegalArgumentException failure(
      String name, String value, String least, String most) {
    return new IllegalArgumentException(
        name + " must be " + least + ".." + most + ": " + name + "=" + value);
  }
}
