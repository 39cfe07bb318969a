package io.holdfast.ids;

import io.holdfast.Hold;
import io.holdfast.spi.Resource;

/**
 * A worker number that is leased, and the time that the store has reserved for it. Only ids of that
 * time are made with it; nobody else is ever given that time of that number.
 */
final class Seat {

  /** 2^20 ns are a millisecond or so. */
  private static final int MOMENT_BITS = 20;

  final int worker;
  final Hold hold;
  final Resource counter;
  private final Layout layout;
  private volatile long fromMicros;
  private volatile long endMicros;
  private volatile long limit;
  private volatile boolean inDoubt;
  private volatile boolean overtaken;
  private volatile long heldIn = Long.MIN_VALUE;

  Seat(int worker, Hold hold, Resource counter, Layout layout, Span time) {
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

  /** More reserved time. If there is a gap before it, no id may be made in the gap from now on. */
  void add(Span time) {
    if (time.from() != endMicros) {
      fromMicros = time.from();
    }
    endMicros = time.until();
    limit = Math.min(layout.tickAt(time.until()), layout.ticks());
  }

  /** The moment from which on the time until the end is reserved without a gap. */
  long fromMicros() {
    return fromMicros;
  }

  /** The moment at which the reserved time ends. */
  long endMicros() {
    return endMicros;
  }

  /** The first tick that is not reserved. */
  long limit() {
    return limit;
  }

  /** No id is made with it any more, whoever is about to. */
  void shut() {
    limit = 0;
  }

  /** Whether the store may have reserved time for it, by a call whose answer is not known. */
  boolean isInDoubt() {
    return inDoubt;
  }

  /** Time is asked for: until there is an answer, it may have been reserved or not. */
  void asked() {
    inDoubt = true;
  }

  /** Where its reserved time stands is known again. */
  void answered() {
    inDoubt = false;
    overtaken = false;
  }

  /** Whether time behind its own was reserved, by somebody else or by a call in doubt. */
  boolean isOvertaken() {
    return overtaken;
  }

  void overtaken() {
    overtaken = true;
  }

  boolean isHeld() {
    return hold.isHeld();
  }

  /**
   * The same for callers in a hurry, who know the time: it was held in this millisecond or so. The
   * lease is believed in for a shorter time than the store keeps it, by far more than that.
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

  /** Whether the lease is over for good. */
  boolean isLost() {
    return hold.loss().isPresent();
  }
}
