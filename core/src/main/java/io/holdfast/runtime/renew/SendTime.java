package io.holdfast.runtime.renew;

/** When a verb was sent, on both clocks of the host. Immutable. */
public class SendTime {

  private final long nanos;
  private final long apart;

  public SendTime(long nanos, long apart) {
    this.nanos = nanos;
    this.apart = apart;
  }

  /** Returns the monotonic clock at that time. */
  public final long nanos() {
    return nanos;
  }

  /** Returns how far the wall clock was ahead of the monotonic clock at that time. */
  public long apart() {
    return apart;
  }
}
