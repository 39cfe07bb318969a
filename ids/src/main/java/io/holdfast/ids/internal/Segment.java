package io.holdfast.ids.internal;

import java.util.concurrent.atomic.AtomicLong;

/** A block of ids; its value is the next id. */
final class Segment extends AtomicLong {

  private static final long serialVersionUID = 1L;

  final long first;
  final long end;

  /**
   * Creates an unused block.
   *
   * @param end exclusive
   */
  Segment(long first, long end) {
    super(first);
    this.first = first;
    this.end = end;
  }

  long left() {
    return Math.max(0, end - get());
  }
}
