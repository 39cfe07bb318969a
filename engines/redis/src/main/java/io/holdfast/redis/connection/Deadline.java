package io.holdfast.redis.connection;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The moment by which an operation must be over. */
public record Deadline(long nanoTime) {

  private static final long SPARE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  public static Deadline in(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos());
  }

  /** Returns the earlier of this deadline and one that much time from now. */
  Deadline orIn(Duration time) {
    Deadline other = in(time);
    return other.nanoTime - nanoTime < 0 ? other : this;
  }

  /** Returns the milliseconds left, at least 1: a socket takes 0 for no limit. */
  public int millisLeft() {
    long left = TimeUnit.NANOSECONDS.toMillis(nanoTime - System.nanoTime());
    return (int) Math.max(1, Math.min(left, Integer.MAX_VALUE));
  }

  /** Returns whether so little is left that no reply can arrive in time. */
  boolean isUsedUp() {
    return nanoTime - System.nanoTime() <= SPARE_NANOS;
  }

  public boolean isOver() {
    return nanoTime - System.nanoTime() <= 0;
  }
}
