package io.holdfast.ids.internal;

import io.holdfast.ids.IdLayout;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Converts between wall-clock time, ticks of a layout and ids. */
public final class LayoutMath {

  private LayoutMath() {}

  /** Returns whether the layout lasts for this many years from that moment. */
  static boolean lasts(IdLayout layout, long epochMicros, int years) {
    Instant now = Instant.EPOCH.plus(epochMicros, ChronoUnit.MICROS);
    return !layout.end().isBefore(now.atOffset(ZoneOffset.UTC).plusYears(years).toInstant());
  }

  static long tickMicros(IdLayout layout) {
    return layout.tick().toMillis() * 1000;
  }

  /** Returns the tick of a moment, rounded down; negative before the epoch. */
  public static long tickAt(IdLayout layout, long epochMicros) {
    return Math.floorDiv(epochMicros - epochMicros(layout), tickMicros(layout));
  }

  /** Returns the moment at which a tick begins. */
  static long microsAt(IdLayout layout, long tick) {
    return epochMicros(layout) + tick * tickMicros(layout);
  }

  private static long epochMicros(IdLayout layout) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, layout.epoch());
  }

  /** Returns the number of ticks that the time bits can hold. */
  public static long ticks(IdLayout layout) {
    return 1L << layout.timeBits();
  }

  /** Returns the id of these parts, which must fit their bits. */
  public static long compose(IdLayout layout, long tick, int worker, long sequence) {
    return tick << (layout.workerBits() + layout.sequenceBits())
        | (long) worker << layout.sequenceBits()
        | sequence;
  }
}
