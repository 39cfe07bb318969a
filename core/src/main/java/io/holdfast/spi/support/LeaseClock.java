package io.holdfast.spi.support;

import java.util.function.LongSupplier;

/**
 * Measures how much of a lease has passed, suspensions of the host included. Thread-safe.
 *
 * <p>A suspended host (a closed laptop, a paused virtual machine) stops the monotonic clock, while
 * the store goes on counting the lease. The wall clock does not stop, so by as much as it has moved
 * on more than the monotonic clock, the host was suspended. An engine that keeps a session or a
 * lease in the store measures with this class what is left of it:
 *
 * <pre>{@code
 * LeaseClock.Moment sent = clock.now();      // before the request is sent
 * long ttl = store.keepAlive(lease);
 * ...
 * long left = clock.remainingNanos(sent, ttl);
 * }</pre>
 *
 * <p>Engines that only report what the store replied need no such clock: the runtime subtracts
 * suspensions from each hold by itself. It is for results that an engine reports later, from what
 * it remembers.
 */
public final class LeaseClock {

  /*
   * Why a lease never seems to last longer here than in the store: the store counts from when it
   * executed the request, which is after the moment that was taken before the request was sent. What
   * has passed since is at least what the monotonic clock shows; a forward jump of the wall clock
   * against it is added, and a backward jump is ignored.
   *
   * A suspension may also fall between the two readings of one moment. When a moment is taken, the
   * wall clock is read first: a suspension between the readings then counts as one that came after
   * the moment. When time is measured, the monotonic clock is read first: a suspension between the
   * readings then counts as well. Either way, a suspension is never missed.
   *
   * What breaks it: a suspension that stops both clocks, as some hypervisors do, and a wall clock
   * that is set back by as much as the suspension took. A wall clock that is set forward costs what
   * is left until the next confirmation, and never safety.
   */

  /**
   * A moment on both clocks, to be compared with moments of the same {@link LeaseClock} only.
   *
   * @param nanos the monotonic clock
   * @param aheadNanos how far the wall clock was ahead of the monotonic clock
   */
  public record Moment(long nanos, long aheadNanos) {

    /** Returns the moment that was so much earlier, with no suspension in between. */
    public Moment minusNanos(long earlier) {
      return new Moment(nanos - earlier, aheadNanos);
    }

    /** Returns whether this moment is later than another, on the monotonic clock. */
    public boolean isAfter(Moment other) {
      return nanos - other.nanos > 0;
    }
  }

  private static final long NANOS_A_MICRO = 1000;

  private final LongSupplier nanoTime;
  private final LongSupplier epochMicros;

  /**
   * Creates a clock.
   *
   * @param nanoTime the monotonic clock of the host, with any origin
   * @param epochMicros the wall clock of the host
   */
  public LeaseClock(LongSupplier nanoTime, LongSupplier epochMicros) {
    this.nanoTime = nanoTime;
    this.epochMicros = epochMicros;
  }

  /** Returns the present moment. A lease counts from the moment before its request is sent. */
  public Moment now() {
    long wall = wallNanos();
    long nanos = nanoTime.getAsLong();
    return new Moment(nanos, wall - nanos);
  }

  /** Returns the monotonic clock alone, for durations that a suspension may interrupt. */
  public long nanoTime() {
    return nanoTime.getAsLong();
  }

  /** Returns for how long the host was suspended since a moment; never negative. */
  public long suspendedNanosSince(Moment moment) {
    return suspendedNanosSince(moment, nanoTime.getAsLong());
  }

  /**
   * Returns for how long the host was suspended between a moment and now; never negative.
   *
   * @param nanos the monotonic clock, read just before
   */
  public long suspendedNanosSince(Moment moment, long nanos) {
    return Math.max(0, aheadNanos(nanos) - moment.aheadNanos);
  }

  /** Returns how much time has passed since a moment, suspensions included. */
  public long elapsedNanosSince(Moment moment) {
    long nanos = nanoTime.getAsLong();
    return nanos - moment.nanos + suspendedNanosSince(moment, nanos);
  }

  /**
   * Returns what is left of a validity that counts from a moment; not positive when it has ended.
   *
   * @param validNanos how long it lasts from that moment on
   */
  public long remainingNanos(Moment moment, long validNanos) {
    return validNanos - elapsedNanosSince(moment);
  }

  /**
   * Returns how far the wall clock is ahead of the monotonic clock.
   *
   * @param nanos the monotonic clock, read just before
   */
  public long aheadNanos(long nanos) {
    return wallNanos() - nanos;
  }

  private long wallNanos() {
    return epochMicros.getAsLong() * NANOS_A_MICRO;
  }
}
