package io.holdfast.torture;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.ToIntFunction;

/**
 * Draws what happens next in one stream of faults. The same seed gives the same draws; what they
 * meet is decided by the machine.
 */
final class FaultSchedule {
  private final Random random;
  private final Duration lease;

  FaultSchedule(long seed, String stream, Duration lease) {
    this.random = new Random(seed * 31 + stream.hashCode());
    this.lease = lease;
  }

  /** A time between two numbers of leases. */
  Duration leases(double shortest, double longest) {
    double drawn = shortest + random.nextDouble() * (longest - shortest);
    return Duration.ofNanos((long) (drawn * lease.toNanos()));
  }

  <T> T one(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  <T> T weighted(List<T> some, ToIntFunction<T> weight) {
    int left = random.nextInt(some.stream().mapToInt(weight).sum());
    for (T each : some) {
      left -= weight.applyAsInt(each);
      if (left < 0) {
        return each;
      }
    }
    throw new IllegalStateException("no weights: " + some);
  }

  /** True in so many of a hundred draws. */
  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  Random random() {
    return random;
  }
}
