package io.holdfast.examples.demo;

import io.holdfast.Hold;
import io.holdfast.StaleTokenException;
import io.holdfast.memory.MemoryFenceGuard;
import org.jspecify.annotations.Nullable;

/**
 * What the lock protects: a number of coins that is read, and written back some time later. One jar
 * has a guard at its mouth, another has none.
 */
final class Jar {

  private final @Nullable MemoryFenceGuard guard;
  private long newest;
  private int coins;
  private int paid;
  private int staleTaken;
  private int staleRefused;

  private Jar(@Nullable MemoryFenceGuard guard) {
    this.guard = guard;
  }

  static Jar guarded() {
    return new Jar(new MemoryFenceGuard());
  }

  static Jar unguarded() {
    return new Jar(null);
  }

  synchronized int look(Hold hold) {
    check(hold);
    newest = Math.max(newest, hold.token());
    return coins;
  }

  /**
   * Pays a coin in: writes what was seen and one more.
   *
   * @throws StaleTokenException when a later holder has looked since, and there is a guard
   */
  synchronized void pay(Hold hold, int seen) {
    check(hold);
    if (hold.token() < newest) {
      staleTaken++;
    }
    coins = seen + 1;
    paid++;
  }

  private void check(Hold hold) {
    try {
      if (guard != null) {
        guard.claim(hold);
      }
    } catch (StaleTokenException e) {
      staleRefused++;
      throw e;
    }
  }

  synchronized int coins() {
    return coins;
  }

  /** How many were told that their coin is in. */
  synchronized int paid() {
    return paid;
  }

  synchronized int staleTaken() {
    return staleTaken;
  }

  synchronized int staleRefused() {
    return staleRefused;
  }
}
