package io.holdfast.cli.demo;

import io.holdfast.Hold;
import io.holdfast.StaleTokenException;
import io.holdfast.memory.MemoryFenceGuard;
import org.jspecify.annotations.Nullable;

/**
 * The data that the lock protects: a counter, read and written back later.
 *
 * <p>One counter has a fence guard, the other has none.
 */
final class SharedCounter {

  private final @Nullable MemoryFenceGuard guard;
  private long newest;
  private int coins;
  private int paid;
  private int staleTaken;
  private int staleRefused;

  private SharedCounter(@Nullable MemoryFenceGuard guard) {
    this.guard = guard;
  }

  static SharedCounter guarded() {
    return new SharedCounter(new MemoryFenceGuard());
  }

  static SharedCounter unguarded() {
    return new SharedCounter(null);
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

  /** How many payments were accepted. */
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
