package io.holdfast.ids;

import java.time.Duration;

/** Bounds of times that users choose. */
final class Times {

  private Times() {}

  static void require(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          name + " must be " + least + ".." + most + ": " + name + "=" + value);
    }
  }

  static long micros(Duration time) {
    return time.toNanos() / 1000;
  }
}
