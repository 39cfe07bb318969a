package io.holdfast.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses durations such as {@code 500ms}, {@code 30s} and {@code 1h}, and prints durations. */
public final class Durations implements ITypeConverter<Duration> {

  private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

  /** For picocli. */
  public Durations() {}

  @Override
  public Duration convert(String value) {
    try {
      return parse(value);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  /**
   * Reads a whole number and its unit.
   *
   * @throws IllegalArgumentException saying what the form is
   */
  public static Duration parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a time; write a whole number and a unit: 500ms, 30s, 5m, 1h, 1d");
    }
    long count = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(count);
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      default -> Duration.ofDays(count);
    };
  }

  /** For people: at most two units, such as {@code 250 ms}, {@code 4.2 s}, {@code 3 min 05 s}. */
  public static String text(Duration time) {
    if (time.isNegative()) {
      return "0 s";
    }
    long seconds = time.toSeconds();
    if (seconds < 1) {
      return time.toMillis() + " ms";
    }
    if (seconds < 60) {
      long tenths = time.toMillis() / 100;
      return tenths % 10 == 0 ? seconds + " s" : tenths / 10 + "." + tenths % 10 + " s";
    }
    if (seconds < 3600) {
      return two(seconds / 60, " min", seconds % 60, " s");
    }
    return seconds < 86_400
        ? two(seconds / 3600, " h", seconds / 60 % 60, " min")
        : two(seconds / 86_400, " d", seconds / 3600 % 24, " h");
  }

  /** As one would type it, to the millisecond: a whole number of the largest unit that fits. */
  public static String typed(Duration time) {
    long millis = time.toMillis();
    if (millis == 0 || millis % 1000 != 0) {
      return millis == 0 ? "0s" : millis + "ms";
    }
    long seconds = millis / 1000;
    if (seconds % 3600 == 0) {
      return seconds / 3600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }

  private static String two(long large, String unit, long small, String smaller) {
    return large + unit + (small == 0 ? "" : (small < 10 ? " 0" : " ") + small + smaller);
  }
}
