package io.holdfast.jdbc.table;

import java.time.Duration;

/** Times as the tables have them. */
final class Micros {

  private static final long NANOS = 1000;

  private Micros() {}

  /** Rounded up: the store never keeps less than it was asked to. */
  static long of(Duration time) {
    return Math.addExact(
        Math.multiplyExact(time.getSeconds(), 1_000_000L), (time.getNano() + NANOS - 1) / NANOS);
  }

  static Duration time(long micros) {
    return Duration.ofSeconds(
        Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * NANOS);
  }
}
