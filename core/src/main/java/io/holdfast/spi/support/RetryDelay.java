package io.holdfast.spi.support;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.DoubleSupplier;

/**
 * Delays between retries: they double up to a limit, with jitter. Immutable.
 *
 * <p>The full delay after the first failure is {@code first}, and doubles with each further failure
 * in a row until it is {@code longest}. Jitter cuts each delay by a random part, so that clients
 * that failed together do not retry together: by up to a half, or as {@link #withSpread} says. A
 * delay is therefore never longer than {@code longest}.
 *
 * <p>Code that counts its failures calls {@link #nanosAfter}. Code that does not uses a {@link
 * Sequence}:
 *
 * <pre>{@code
 * RetryDelay.Sequence delay = RETRY.sequence();
 * while (!closed) {
 *   try {
 *     listen();                 // returns after the connection broke
 *     delay.reset();
 *   } catch (IOException e) {
 *     report(e);
 *   }
 *   pause(delay.nextNanos());
 * }
 * }</pre>
 */
public final class RetryDelay {

  private static final double HALF = 0.5;

  private final long firstNanos;
  private final long longestNanos;
  private final double spread;
  private final DoubleSupplier random;

  /**
   * Creates delays that jitter cuts by up to a half.
   *
   * @param first the full delay after the first failure; zero means that there is never a delay
   * @param longest the longest delay
   * @param random numbers from 0 (inclusive) to 1 (exclusive); any thread may ask for one
   * @throws IllegalArgumentException when the delays are negative or the longest is the shorter one
   */
  public RetryDelay(Duration first, Duration longest, DoubleSupplier random) {
    this(nanos(first), nanos(longest), HALF, random);
    if (first.isNegative() || first.compareTo(longest) > 0) {
      throw new IllegalArgumentException(
          "delays must be 0 <= first <= longest: first="
              + DurationText.of(first)
              + " longest="
              + DurationText.of(longest));
    }
  }

  /**
   * Creates delays that do not grow; jitter cuts them by up to a half.
   *
   * @param random as for the constructor
   */
  public static RetryDelay steady(Duration delay, DoubleSupplier random) {
    return new RetryDelay(delay, delay, random);
  }

  private RetryDelay(long firstNanos, long longestNanos, double spread, DoubleSupplier random) {
    this.firstNanos = firstNanos;
    this.longestNanos = longestNanos;
    this.spread = spread;
    this.random = random;
  }

  private static long nanos(Duration duration) {
    try {
      return duration.toNanos();
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }

  /**
   * Returns a copy with another jitter.
   *
   * @param part by which part of a delay it may be cut: 0 for no jitter, 1 for delays anywhere
   *     between nothing and the full delay, which separates rivals best
   * @throws IllegalArgumentException when the part is not 0 to 1
   */
  public RetryDelay withSpread(double part) {
    if (!(part >= 0 && part <= 1)) {
      throw new IllegalArgumentException("spread must be 0..1: spread=" + part);
    }
    return new RetryDelay(firstNanos, longestNanos, part, random);
  }

  /**
   * Returns the delay before the next try, in nanoseconds.
   *
   * @param failures how many tries failed in a row, from 1; less counts as 1
   */
  public long nanosAfter(int failures) {
    long full = fullNanosAfter(failures);
    return full - (long) (full * spread * random.getAsDouble());
  }

  /** Returns the delay before the next try; see {@link #nanosAfter}. */
  public Duration after(int failures) {
    return Duration.ofNanos(nanosAfter(failures));
  }

  private long fullNanosAfter(int failures) {
    int doublings = Math.max(1, failures) - 1;
    if (firstNanos == 0) {
      return 0;
    }
    // Compared from above, because doubling might overflow.
    boolean isShorter = doublings < Long.SIZE && firstNanos <= longestNanos >> doublings;
    return isShorter ? firstNanos << doublings : longestNanos;
  }

  /** Starts counting failures at zero. */
  public Sequence sequence() {
    return new Sequence(this);
  }

  /** Delays that count their own failures. Thread-safe. */
  public static final class Sequence {

    private static final AtomicIntegerFieldUpdater<Sequence> FAILURES =
        AtomicIntegerFieldUpdater.newUpdater(Sequence.class, "failures");

    private final RetryDelay delay;
    private volatile int failures;

    private Sequence(RetryDelay delay) {
      this.delay = delay;
    }

    /** Counts one more failure and returns the delay before the next try, in nanoseconds. */
    public long nextNanos() {
      return delay.nanosAfter(FAILURES.updateAndGet(this, count -> Math.max(count, count + 1)));
    }

    /** Returns how many tries failed since the last success. */
    public int failures() {
      return failures;
    }

    /** A try succeeded: the next delay is the first one again. */
    public void reset() {
      failures = 0;
    }
  }
}
