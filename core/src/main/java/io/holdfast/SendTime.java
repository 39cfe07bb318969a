package io.holdfast;

/** When a verb was sent, on both clocks of the host. Immutable. */
class SendTime {

  private final long nanos;
  private final long apart;

  SendTime(long nanos, long apart) {
    this.nanos = nanos;
    this.apart = apart;
  }

  /** The monotonic clock at that time. */
  final long nanos() {
    return nanos;
  }

  /** How far the wall clock was ahead of the monotonic clock at that time. */
  long apart() {
    return apart;
  }
}
