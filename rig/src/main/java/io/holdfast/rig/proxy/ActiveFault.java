package io.holdfast.rig.proxy;

import java.util.Random;

/**
 * A fault that is in force, with its source of randomness. All connections of a direction share it,
 * so that one seed is one series of delays.
 */
record ActiveFault(ProxyFault fault, Random random) {

  static ActiveFault of(ProxyFault fault) {
    long seed = fault instanceof ProxyFault.Delay delay ? delay.seed() : 0;
    return new ActiveFault(fault, new Random(seed));
  }

  boolean swallows() {
    return fault instanceof ProxyFault.Swallow;
  }

  boolean holds() {
    return fault instanceof ProxyFault.Hold;
  }

  boolean resets() {
    return fault instanceof ProxyFault.Reset;
  }

  /** How many bytes it lets pass. */
  long budget() {
    return fault instanceof ProxyFault.Truncate truncate ? truncate.bytes() : Long.MAX_VALUE;
  }

  /** How much later the next piece is. */
  long nextDelayNanos() {
    if (fault instanceof ProxyFault.Delay delay) {
      return delay.base().toNanos() + (long) (random.nextDouble() * delay.jitter().toNanos());
    }
    return 0;
  }
}
