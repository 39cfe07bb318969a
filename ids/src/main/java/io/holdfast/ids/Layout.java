package io.holdfast.ids;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How the bits of a time-ordered id are used: time, then worker, then sequence, right-aligned. An
 * id is never negative and never larger than its bits.
 *
 * @param epoch when time is 0; from 1900 to 2099
 * @param tick the unit of time, 1 ms to 10 s in whole milliseconds
 * @param timeBits for the time in ticks
 * @param workerBits for the worker number; 1 to 20
 * @param sequenceBits for the ids of one worker in one tick; 1 to 22
 */
public record Layout(Instant epoch, Duration tick, int timeBits, int workerBits, int sequenceBits) {

  private static final int MOST_BITS = 63;
  private static final int MOST_TIME_BITS = 48;
  private static final int MOST_WORKER_BITS = 20;
  private static final int MOST_SEQUENCE_BITS = 22;
  private static final Duration LONGEST_TICK = Duration.ofSeconds(10);
  private static final Instant FIRST_EPOCH = Instant.parse("1900-01-01T00:00:00Z");
  private static final Instant LAST_EPOCH = Instant.parse("2100-01-01T00:00:00Z");
  private static final Instant START_OF_2025 = Instant.parse("2025-01-01T00:00:00Z");

  /**
   * 63 bits: milliseconds for 69 years from 2025 on, 1,024 workers, 4,096 ids a millisecond each.
   */
  public static final Layout STANDARD = new Layout(START_OF_2025, Duration.ofMillis(1), 41, 10, 12);

  /**
   * 53 bits, which JavaScript reads exactly: units of 10 ms for 21 years from 2025 on, 256 workers,
   * 51,200 ids a second each.
   */
  public static final Layout JAVASCRIPT =
      new Layout(START_OF_2025, Duration.ofMillis(10), 36, 8, 9);

  public Layout {
    if (epoch.isBefore(FIRST_EPOCH) || !epoch.isBefore(LAST_EPOCH)) {
      throw new IllegalArgumentException("epoch must be from 1900 to 2099: epoch=" + epoch);
    }
    require("workerBits", workerBits, MOST_WORKER_BITS);
    require("sequenceBits", sequenceBits, MOST_SEQUENCE_BITS);
    require("timeBits", timeBits, Math.min(MOST_TIME_BITS, MOST_BITS - workerBits - sequenceBits));
    if (tick.toMillis() < 1
        || tick.compareTo(LONGEST_TICK) > 0
        || !tick.equals(Duration.ofMillis(tick.toMillis()))) {
      throw new IllegalArgumentException(
          "tick must be 1 ms to 10 s in whole milliseconds: tick=" + tick);
    }
  }

  private static void require(String name, int bits, int most) {
    if (bits < 1 || bits > most) {
      throw new IllegalArgumentException(
          name + " must be 1.." + most + " of the 63 that an id has: " + name + "=" + bits);
    }
  }

  /** The moment at which the time bits are used up. */
  public Instant end() {
    return epoch.plusMillis(Math.multiplyExact(1L << timeBits, tick.toMillis()));
  }

  /** Whether it goes on for so many years from that moment. */
  boolean lasts(long epochMicros, int years) {
    Instant now = Instant.EPOCH.plus(epochMicros, ChronoUnit.MICROS);
    return !end().isBefore(now.atOffset(ZoneOffset.UTC).plusYears(years).toInstant());
  }

  /** How many workers there can be. */
  public int workers() {
    return 1 << workerBits;
  }

  /** How many ids one worker can make in a second. */
  public long idsASecond() {
    return (1L << sequenceBits) * 1000 / tick.toMillis();
  }

  long tickMicros() {
    return tick.toMillis() * 1000;
  }

  /** The tick of a moment, rounded down; negative before the epoch. */
  long tickAt(long epochMicros) {
    return Math.floorDiv(epochMicros - epochMicros(), tickMicros());
  }

  /** The moment at which a tick begins. */
  long microsAt(long ofTick) {
    return epochMicros() + ofTick * tickMicros();
  }

  private long epochMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, epoch);
  }

  long ticks() {
    return 1L << timeBits;
  }

  /**
   * The id of these parts.
   *
   * @throws IllegalArgumentException when one of them does not fit: it would run into the bits of
   *     another, and two ids could be one
   */
  public long id(Instant time, int worker, long sequence) {
    long at = tickAt(ChronoUnit.MICROS.between(Instant.EPOCH, time));
    if (at < 0
        || at >= ticks()
        || worker < 0
        || worker >= workers()
        || sequence < 0
        || sequence >= 1L << sequenceBits) {
      throw new IllegalArgumentException(
          "out of range of the layout: time="
              + time
              + " worker="
              + worker
              + " sequence="
              + sequence
              + " layout="
              + this);
    }
    return compose(at, worker, sequence);
  }

  long compose(long ofTick, int worker, long sequence) {
    return ofTick << (workerBits + sequenceBits) | (long) worker << sequenceBits | sequence;
  }

  /**
   * The parts of an id.
   *
   * @throws IllegalArgumentException when it is negative or has more bits
   */
  public IdFacts describe(long id) {
    int bits = timeBits + workerBits + sequenceBits;
    if (id < 0 || (bits < MOST_BITS && id >>> bits != 0)) {
      throw new IllegalArgumentException(
          "no id of a layout of " + bits + " bits: id=" + id + " layout=" + this);
    }
    long ofTick = id >>> (workerBits + sequenceBits);
    int worker = (int) (id >>> sequenceBits & (workers() - 1));
    return new IdFacts(
        Optional.of(epoch.plusMillis(ofTick * tick.toMillis())),
        OptionalInt.of(worker),
        id & (1L << sequenceBits) - 1);
  }
}
