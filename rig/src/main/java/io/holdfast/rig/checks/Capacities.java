package io.holdfast.rig.checks;

import java.util.Map;

/**
 * The capacity of each lock. The weights of concurrent holders must not exceed it. A claim that
 * takes all of it is exclusive.
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
