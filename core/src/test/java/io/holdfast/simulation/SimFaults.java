package io.holdfast.simulation;

import io.holdfast.HoldfastOptions;
import io.holdfast.runtime.renew.LeaseTerms;

/** The faults and their rates; none during the calm. */
final class SimFaults {

  private final SimEvents events;
  private final SimPlan plan;
  private boolean calm;
  private long injected;

  SimFaults(SimEvents events, SimPlan plan) {
    this.events = events;
    this.plan = plan;
  }

  void calm() {
    calm = true;
  }

  boolean isCalm() {
    return calm;
  }

  /** How many faults there were. */
  long injected() {
    return injected;
  }

  private boolean fault(double probability) {
    boolean happens = !calm && events.chance(probability);
    injected += happens ? 1 : 0;
    return happens;
  }

  /** Whether a connection is refused, so that nothing was sent. */
  boolean refuses() {
    return fault(0.01);
  }

  /**
   * When a request arrives, or -1 for never. A connection delivers once; what is late was cut off
   * by its client, and stores cut statements off before the mark of a leave is forgotten.
   */
  long request(long latest) {
    return fault(0.03) ? -1 : Math.min(delay(), latest);
  }

  /** Returns when copies of a reply or a signal arrive: none, one or two. */
  long[] deliveries() {
    if (fault(0.03)) {
      return new long[0];
    }
    return fault(0.02) ? new long[] {delay(), delay()} : new long[] {delay()};
  }

  /** Mostly quick, sometimes slow, rarely so late that no caller waits for it any more. */
  private long delay() {
    if (fault(0.02)) {
      return events.between(SimEvents.SECOND, 7 * SimEvents.SECOND);
    }
    if (fault(0.08)) {
      return events.between(20 * SimEvents.MILLI, 320 * SimEvents.MILLI);
    }
    return events.between(SimEvents.MILLI / 10, 2 * SimEvents.MILLI);
  }

  boolean pauses() {
    return fault(0.02);
  }

  /** How long the host is suspended now; mostly not at all. */
  long suspension() {
    return fault(0.004) ? suspended() : 0;
  }

  /** Every other one is too short to cast doubt on a hold. */
  private long suspended() {
    long lease = plan.lease().toNanos();
    long doubtful = new LeaseTerms(HoldfastOptions.DEFAULTS, plan.lease()).suspicion();
    return events.chance(0.5)
        ? events.between(SimEvents.MILLI, doubtful)
        : events.between(doubtful, 2 * lease);
  }

  boolean crashes() {
    return fault(0.002);
  }
}
