package io.holdfast.jdbc.table.layout;

import java.time.Duration;

/** Conversions of the times in the tables. */
public final class Micros {

  private static final long NANOS = 1000;

  private Micros() {}

  /** Rounds up: the store never keeps a ticket for less than it was asked to. */
  public static long of(Duration time) {
    return Math.addExact(
        Math.multiplyExact(time.getSeconds(), 1_000_000L), (time.getNano() + NANOS - 1) / NANOS);
  }

  public static Duration time(long micros) {
    return Duration.ofSeconds(
        Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * NANOS);
  }
}
