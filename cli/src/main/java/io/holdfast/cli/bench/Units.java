package io.holdfast.cli.bench;

import java.util.Locale;

/** Formats figures for people. */
public final class Units {

  private static final double THOUSAND = 1000;

  private Units() {}

  /** A time, to three digits or so: {@code 412 ns}, {@code 3.1 us}, {@code 54 ms}, {@code 2 s}. */
  public static String nanos(double nanos) {
    String[] units = {"ns", "us", "ms"};
    double value = nanos;
    for (String unit : units) {
      // 999.5 would be shown as 1000.
      if (value < THOUSAND - 0.5) {
        return digits(value) + " " + unit;
      }
      value /= THOUSAND;
    }
    return digits(value) + " s";
  }

  public static String nanos(long nanos) {
    return nanos((double) nanos);
  }

  private static String digits(double value) {
    boolean whole = value >= 100 || Math.abs(value - Math.rint(value)) < 0.05;
    return String.format(Locale.ROOT, whole ? "%.0f" : "%.1f", value);
  }

  /** A number with its thousands apart. */
  public static String count(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  public static String percent(double part) {
    return String.format(Locale.ROOT, "%.0f %%", part * 100);
  }

  public static String ratio(double ratio) {
    String format = ratio >= 10 ? "%.1fx" : ratio >= 0.1 ? "%.2fx" : "%.4fx";
    return String.format(Locale.ROOT, format, ratio);
  }
}
