package io.holdfast.ids;

import io.holdfast.ids.internal.DurationChecks;
import java.time.Duration;

/**
 * The options of ids that are taken from the store in blocks.
 *
 * <p>Immutable; each {@code with…} method returns a changed copy.
 *
 * @param lasting how long the fetched ids should last at the present rate, 10 ms to 1 h: ids are
 *     available for this long while the store is unreachable
 * @param leastStep the size of the first and of the smallest blocks; at most 1,000,000 if ids
 *     follow the store's clock
 * @param mostStep the size of the largest blocks, at most 2^32; at most 1,000,000 if ids follow the
 *     store's clock
 * @param floor the smallest id
 * @param clock whether ids follow the store's clock
 * @param patience how long a caller waits for the store if no ids are left
 */
public record SegmentOptions(
    Duration lasting, long leastStep, long mostStep, long floor, Clocked clock, Duration patience) {

  /** Whether ids follow the store's clock, so that none repeats if the store loses writes. */
  public enum Clocked {
    /**
     * If the store may lose the last blocks that it gave out: Redis, H2, memory. Not for other
     * databases: if a standby without the last commits takes over, ids are repeated.
     */
    AS_NEEDED,
    /** Always, even for databases whose standby may lack the last commits. */
    YES,
    /**
     * Never: small numbers without large gaps. On a store that may lose writes, ids are repeated
     * after a failover or a crash.
     */
    NO;
  }

  /** 10 s of ids, blocks of 1,000 to 100,000,000 ids, the clock as needed, 2 s of patience. */
  public static final SegmentOptions DEFAULTS =
      new SegmentOptions(
          Duration.ofSeconds(10), 1_000, 100_000_000, 1, Clocked.AS_NEEDED, Duration.ofSeconds(2));

  private static final long MOST = 1L << 32;

  public SegmentOptions {
    DurationChecks.require("lasting", lasting, Duration.ofMillis(10), Duration.ofHours(1));
    DurationChecks.require("patience", patience, Duration.ofMillis(1), Duration.ofHours(1));
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

  /** Returns a copy with this time that fetched ids should last. */
  public SegmentOptions withLasting(Duration value) {
    return new SegmentOptions(value, leastStep, mostStep, floor, clock, patience);
  }

  /** Returns a copy with these block sizes; equal sizes do not adapt. */
  public SegmentOptions withSteps(long least, long most) {
    return new SegmentOptions(lasting, least, most, floor, clock, patience);
  }

  /** Returns a copy with this smallest id. */
  public SegmentOptions withFloor(long value) {
    return new SegmentOptions(lasting, leastStep, mostStep, value, clock, patience);
  }

  /** Returns a copy with or without the store's clock. */
  public SegmentOptions withClock(Clocked value) {
    return new SegmentOptions(lasting, leastStep, mostStep, floor, value, patience);
  }

  /** Returns a copy with this patience. */
  public SegmentOptions withPatience(Duration value) {
    return new SegmentOptions(lasting, leastStep, mostStep, floor, clock, value);
  }
}
