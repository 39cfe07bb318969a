package io.holdfast.ids.internal;

import io.holdfast.ids.IdForm;
import io.holdfast.ids.IdLayout;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** A form of the day, a hyphen, and the ticks since midnight with worker and sequence. */
final class DatedIdForm implements IdForm {

  private static final int DATE_LENGTH = 8;
  private static final int BITS_A_DIGIT = 5;

  private final IdLayout layout;
  private final int lowBits;
  private final DigitsIdForm rest;

  DatedIdForm(IdLayout layout) {
    this.layout = layout;
    this.lowBits = layout.workerBits() + layout.sequenceBits();
    long ticksADay = Duration.ofDays(1).toMillis() / layout.tick().toMillis() + 1;
    int bits = Long.SIZE - Long.numberOfLeadingZeros(ticksADay) + lowBits;
    this.rest = DigitsIdForm.CROCKFORD.ofLength((bits + BITS_A_DIGIT - 1) / BITS_A_DIGIT);
  }

  @Override
  public String write(long id) {
    Instant time = layout.describe(id).time().orElseThrow();
    LocalDate day = LocalDate.ofInstant(time, ZoneOffset.UTC);
    long since = (id >>> lowBits) - firstTick(day);
    long low = id & ((1L << lowBits) - 1);
    return DateTimeFormatter.BASIC_ISO_DATE.format(day) + '-' + rest.write(since << lowBits | low);
  }

  /** Returns the first tick that begins on the day. */
  private long firstTick(LocalDate day) {
    long midnight = day.atStartOfDay(ZoneOffset.UTC).toEpochSecond() * 1_000_000;
    return Math.max(0, LayoutMath.tickAt(layout, midnight + LayoutMath.tickMicros(layout) - 1));
  }

  @Override
  public long read(String text) {
    try {
      if (text.length() > DATE_LENGTH && text.charAt(DATE_LENGTH) == '-') {
        LocalDate day =
            LocalDate.parse(text.substring(0, DATE_LENGTH), DateTimeFormatter.BASIC_ISO_DATE);
        long id = (firstTick(day) << lowBits) + rest.read(text.substring(DATE_LENGTH + 1));
        if (id >= 0 && write(id).startsWith(text.substring(0, DATE_LENGTH))) {
          return id;
        }
      }
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("not a dated id: \"" + text + "\"", e);
    }
    throw new IllegalArgumentException(
        "not a dated id, such as 20261115-0G5ZK3M0R1, of this layout: \"" + text + "\"");
  }
}
