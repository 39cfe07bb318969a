package io.holdfast.ids;

import io.holdfast.ids.internal.LayoutMath;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The bit layout of time-ordered ids: time, then worker, then sequence, right-aligned.
 *
 * <p>An id is never negative and never larger than its bits.
 *
 * @param epoch the moment at which time is 0; from 1900 to 2099
 * @param tick the unit of time, 1 ms to 10 s in whole milliseconds
 * @param timeBits bits for the time in ticks
 * @param workerBits bits for the worker number; 1 to 20
 * @param sequenceBits bits for the ids of one worker in one tick; 1 to 22
 */
public record IdLayout(
    Instant epoch, Duration tick, int timeBits, int workerBits, int sequenceBits) {

  private static final int MOST_BITS = 63;
  private static final int MOST_TIME_BITS = 48;
  private static final int MOST_WORKER_BITS = 20;
  private static final int MOST_SEQUENCE_BITS = 22;
  private static final Duration LONGEST_TICK = Duration.ofSeconds(10);
  private static final Instant FIRST_EPOCH = Instant.parse("1900-01-01T00:00:00Z");
  private static final Instant LAST_EPOCH = Instant.parse("2100-01-01T00:00:00Z");
  private static final Instant START_OF_2025 = Instant.parse("2025-01-01T00:00:00Z");

  /**
   * 63 bits: milliseconds for 69 years from 2025, 1,024 workers, 4,096 ids per millisecond each.
   */
  public static final IdLayout STANDARD =
      new IdLayout(START_OF_2025, Duration.ofMillis(1), 41, 10, 12);

  /**
   * 53 bits, which JavaScript reads exactly: units of 10 ms for 21 years from 2025, 256 workers,
   * 51,200 ids per second each.
   */
  public static final IdLayout JAVASCRIPT =
      new IdLayout(START_OF_2025, Duration.ofMillis(10), 36, 8, 9);

  public IdLayout {
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
          name + " must be 1.." + most + ", as an id has 63 bits: " + name + "=" + bits);
    }
  }

  /** Returns the moment at which the time bits are used up. */
  public Instant end() {
    return epoch.plusMillis(Math.multiplyExact(1L << timeBits, tick.toMillis()));
  }

  /** Returns the number of workers. */
  public int workers() {
    return 1 << workerBits;
  }

  /** Returns how many ids one worker can generate in a second. */
  public long idsASecond() {
    return (1L << sequenceBits) * 1000 / tick.toMillis();
  }

  /**
   * Returns the id of these parts.
   *
   * @throws IllegalArgumentException if a part does not fit its bits: two ids could become equal
   */
  public long id(Instant time, int worker, long sequence) {
    long at = LayoutMath.tickAt(this, ChronoUnit.MICROS.between(Instant.EPOCH, time));
    if (at < 0
        || at >= LayoutMath.ticks(this)
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
    return LayoutMath.compose(this, at, worker, sequence);
  }

  /**
   * Returns the parts of an id.
   *
   * @throws IllegalArgumentException if the id is negative or has more bits than the layout
   */
  public IdFacts describe(long id) {
    int bits = timeBits + workerBits + sequenceBits;
    if (id < 0 || (bits < MOST_BITS && id >>> bits != 0)) {
      throw new IllegalArgumentException(
          "not an id of a layout of " + bits + " bits: id=" + id + " layout=" + this);
    }
    long ofTick = id >>> (workerBits + sequenceBits);
    int worker = (int) (id >>> sequenceBits & (workers() - 1));
    return new IdFacts(
        Optional.of(epoch.plusMillis(ofTick * tick.toMillis())),
        OptionalInt.of(worker),
        id & (1L << sequenceBits) - 1);
  }
}
