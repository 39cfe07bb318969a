package io.holdfast.ids.internal;

import io.holdfast.Hold;
import io.holdfast.ids.IdLayout;
import io.holdfast.spi.Resource;

/**
 * A leased worker number and the time that the store has reserved for it.
 *
 * <p>Ids are generated only in reserved time; the store reserves each moment of a number once.
 */
final class WorkerLease {

  /** 2^20 ns are about a millisecond. */
  private static final int MOMENT_BITS = 20;

  final int worker;
  final Hold hold;
  final Resource counter;
  private final IdLayout layout;
  private volatile long fromMicros;
  private volatile long endMicros;
  private volatile long limit;
  private volatile boolean inDoubt;
  private volatile boolean overtaken;
  private volatile long heldIn = Long.MIN_VALUE;

  WorkerLease(int worker, Hold hold, Resource counter, IdLayout layout, Span time) {
    this.worker = worker;
    this.hold = hold;
    this.counter = counter;
    this.layout = layout;
    add(time);
  }

  /**
   * Time in microseconds since 1970.
   *
   * @param from inclusive
   * @param until exclusive
   */
  record Span(long from, long until) {}

  /** Adds reserved time. If there is a gap before it, no id may be generated in the gap. */
  void add(Span time) {
    if (time.from() != endMicros) {
      fromMicros = time.from();
    }
    endMicros = time.until();
    limit = Math.min(LayoutMath.tickAt(layout, time.until()), LayoutMath.ticks(layout));
  }

  /** The start of the time that is reserved without a gap until the end. */
  long fromMicros() {
    return fromMicros;
  }

  /** The end of the reserved time. */
  long endMicros() {
    return endMicros;
  }

  /** The first tick that is not reserved. */
  long limit() {
    return limit;
  }

  /** Prevents all further ids, even by threads that are about to make one. */
  void stop() {
    limit = 0;
  }

  /** Returns whether a call without a reply may have reserved time. */
  boolean isInDoubt() {
    return inDoubt;
  }

  /** Records that time is requested: without a reply it may be reserved or not. */
  void requested() {
    inDoubt = true;
  }

  /** Records a reply: the end of the reserved time is known again. */
  void replied() {
    inDoubt = false;
    overtaken = false;
  }

  /** Returns whether later time was reserved by another generator or by a call in doubt. */
  boolean isOvertaken() {
    return overtaken;
  }

  void markOvertaken() {
    overtaken = true;
  }

  boolean isHeld() {
    return hold.isHeld();
  }

  /**
   * As {@link #isHeld()}, but cached for about a millisecond. That is safe: the client believes in
   * the lease for a shorter time than the store keeps it, by far more than a millisecond.
   */
  boolean isHeldAt(long nanoTime) {
    long moment = nanoTime >> MOMENT_BITS;
    if (moment != heldIn) {
      if (!isHeld()) {
        return false;
      }
      heldIn = moment;
    }
    return true;
  }

  /** Returns whether the lease is lost. */
  boolean isLost() {
    return hold.loss().isPresent();
  }
}
