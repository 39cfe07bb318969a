package io.holdfast.redis.wire;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** When something that has begun must be over. */
record Deadline(long nanoTime) {

  private static final long SPARE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  static Deadline in(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos());
  }

  /** The sooner of this one and that time from now. */
  Deadline orIn(Duration time) {
    Deadline other = in(time);
    return other.nanoTime - nanoTime < 0 ? other : this;
  }

  /** At least 1, since 0 is "for ever" to a socket. */
  int millisLeft() {
    long left = TimeUnit.NANOSECONDS.toMillis(nanoTime - System.nanoTime());
    return (int) Math.max(1, Math.min(left, Integer.MAX_VALUE));
  }

  /** Whether at most the last few milliseconds are left, in which no reply can be waited for. */
  boolean isUsedUp() {
    return nanoTime - System.nanoTime() <= SPARE_NANOS;
  }

  boolean isOver() {
    return nanoTime - System.nanoTime() <= 0;
  }
}
