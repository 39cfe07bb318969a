package io.holdfast;

import java.util.concurrent.atomic.AtomicLong;

/** Spreads times, so that clients do not move in step. Any thread may use it. */
final class Jitter {

  private static final long GAMMA = 0x9E3779B97F4A7C15L;

  private final AtomicLong state;

  Jitter(long seed) {
    state = new AtomicLong(seed);
  }

  /** The time changed by up to a fraction in either direction. */
  long around(long nanos, double fraction) {
    double unit = (next() >>> 11) * 0x1.0p-53;
    return nanos + (long) (nanos * fraction * (2 * unit - 1));
  }

  private long next() {
    long z = state.addAndGet(GAMMA);
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
