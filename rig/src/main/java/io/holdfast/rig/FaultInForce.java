package io.holdfast.rig;

import java.util.Random;

/**
 * A fault that was switched on, with the randomness that belongs to it: shared by all connections
 * of a direction, so that one seed is one series of delays.
 */
record FaultInForce(Fault fault, Random random) {

  static FaultInForce of(Fault fault) {
    long seed = fault instanceof Fault.Delay delay ? delay.seed() : 0;
    return new FaultInForce(fault, new Random(seed));
  }

  boolean swallows() {
    return fault instanceof Fault.Swallow;
  }

  boolean holds() {
    return fault instanceof Fault.Hold;
  }

  boolean resets() {
    return fault instanceof Fault.Reset;
  }

  /** How many bytes it lets pass. */
  long budget() {
    return fault instanceof Fault.Truncate truncate ? truncate.bytes() : Long.MAX_VALUE;
  }

  /** How much later the next piece is. */
  long nextDelayNanos() {
    if (fault instanceof Fault.Delay delay) {
      return delay.base().toNanos() + (long) (random.nextDouble() * delay.jitter().toNanos());
    }
    return 0;
  }
}
