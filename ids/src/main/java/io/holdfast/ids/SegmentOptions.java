package io.holdfast.ids;

import io.holdfast.spi.Counter;
import java.time.Duration;

/**
 * How ids are taken from the store in blocks. Immutable; each {@code with…} answers a changed copy.
 *
 * @param lasting for how long what was fetched lasts at the present pace, 10 ms to 1 h: so long ids
 *     are made while the store is away
 * @param leastStep the size of the first blocks, and of the smallest; if ids follow the store's
 *     clock, at most 1,000,000
 * @param mostStep the size of the largest blocks, at most 2^32; if ids follow the store's clock,
 *     they are not larger than 1,000,000 either
 * @param floor the ids are not below it
 * @param clock whether ids follow the store's clock
 * @param patience how long a caller waits for the store when there is nothing left
 */
public record SegmentOptions(
    Duration lasting, long leastStep, long mostStep, long floor, Clocked clock, Duration patience) {

  /** Whether ids follow the store's clock, in microseconds: then none repeats if it forgets. */
  public enum Clocked {
    /**
     * If the store may forget the last blocks that it gave out: Redis, H2, memory. Not for other
     * databases: if a standby takes over there without the last commits, ids are repeated.
     */
    AS_NEEDED,
    /** Always: also for databases with a standby that may lack the last commits. */
    YES,
    /**
     * Never: small numbers without large gaps. On a store that may forget, ids are repeated after a
     * failover or a crash that lost writes.
     */
    NO;

    boolean isNeeded(Counter counter) {
      return this == YES || (this == AS_NEEDED && counter.forgets());
    }
  }

  /** Lasts for 10 s, blocks of 1,000 to 100,000,000 ids, the clock as needed, 2 s of patience. */
  public static final SegmentOptions DEFAULTS =
      new SegmentOptions(
          Duration.ofSeconds(10), 1_000, 100_000_000, 1, Clocked.AS_NEEDED, Duration.ofSeconds(2));

  private static final long MOST = 1L << 32;

  public SegmentOptions {
    Times.require("lasting", lasting, Duration.ofMillis(10), Duration.ofHours(1));
    Times.require("patience", patience, Duration.ofMillis(1), Duration.ofHours(1));
    if (leastStep < 1 || leastStep > mostStep || mostStep > MOST) {
      throw new IllegalArgumentException(
          "steps must be 1 <= least <= most <= "
              + MOST
              + ": leastStep="
              + leastStep
              + " mostStep="
              + mostStep);
    }
    if (floor < 0) {
      throw new IllegalArgumentException("floor must be >= 0: floor=" + floor);
    }
  }

  /** With another time that fetched ids last. */
  public SegmentOptions withLasting(Duration value) {
    return new SegmentOptions(value, leastStep, mostStep, floor, clock, patience);
  }

  /** With other sizes of blocks; equal ones do not adapt. */
  public SegmentOptions withSteps(long least, long most) {
    return new SegmentOptions(lasting, least, most, floor, clock, patience);
  }

  /** With another floor. */
  public SegmentOptions withFloor(long value) {
    return new SegmentOptions(lasting, leastStep, mostStep, value, clock, patience);
  }

  /** With or without the store's clock. */
  public SegmentOptions withClock(Clocked value) {
    return new SegmentOptions(lasting, leastStep, mostStep, floor, value, patience);
  }

  /** With another patience. */
  public SegmentOptions withPatience(Duration value) {
    return new SegmentOptions(lasting, leastStep, mostStep, floor, clock, value);
  }
}
