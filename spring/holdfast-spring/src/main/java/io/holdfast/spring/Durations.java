package io.holdfast.spring;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the durations of annotations: {@code 500ms}, {@code 5s}, {@code 2m}, {@code PT5S}. */
final class Durations {

  private static final Pattern SIMPLE = Pattern.compile("(\\d{1,18})\\s*(ms|s|m|h|d)");

  private Durations() {}

  /**
   * Parses a duration.
   *
   * @param where the annotation, its method and its attribute, for the message
   * @throws IllegalStateException when the text is not a duration with a unit
   */
  static Duration parse(String text, String where) {
    String trimmed = text.trim();
    Matcher simple = SIMPLE.matcher(trimmed);
    try {
      Duration parsed = simple.matches() ? simple(simple) : Duration.parse(trimmed);
      if (!parsed.isNegative()) {
        return parsed;
      }
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalStateException(malformed(text, where), e);
    }
    throw new IllegalStateException(malformed(text, where));
  }

  private static Duration simple(Matcher matched) {
    long amount = Long.parseLong(matched.group(1));
    return switch (matched.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }

  private static String malformed(String text, String where) {
    return where
        + ": \""
        + text
        + "\" is not a duration; write a number with a unit, such as 500ms, 5s or 2m, or PT5S";
  }
}
