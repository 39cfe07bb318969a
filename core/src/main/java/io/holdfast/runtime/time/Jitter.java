package io.holdfast.runtime.time;

import java.util.concurrent.atomic.AtomicLong;

/** Randomizes delays, so that clients do not act in step. Thread-safe. */
public final class Jitter {

  private static final long GAMMA = 0x9E3779B97F4A7C15L;

  private final AtomicLong state;

  public Jitter(long seed) {
    state = new AtomicLong(seed);
  }

  /** Returns the delay, changed by up to a fraction in either direction. */
  public long around(long nanos, double fraction) {
    return nanos + (long) (nanos * fraction * (2 * nextDouble() - 1));
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  public double nextDouble() {
    return (next() >>> 11) * 0x1.0p-53;
  }

  private long next() {
    long z = state.addAndGet(GAMMA);
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
