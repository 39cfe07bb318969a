package io.holdfast.rig;

import java.util.Map;

/**
 * How much each lock lets in at the same time; the weights of those that are in together must not
 * exceed it. A claim that takes all of it is exclusive.
 */
@FunctionalInterface
public interface Capacities {
  /** At least 1. */
  int of(String lock);

  /** Every lock is a mutex. */
  static Capacities mutexes() {
    return lock -> 1;
  }

  /** These locks let in that much, all others are mutexes. */
  static Capacities of(Map<String, Integer> capacities) {
    Map<String, Integer> copy = Map.copyOf(capacities);
    return lock -> copy.getOrDefault(lock, 1);
  }
}
