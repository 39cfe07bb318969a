package io.holdfast;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition that another thread makes true; fails instead of hanging. */
public final class Await {

  private static final long MOST = 20_000_000_000L;
  private static final long LOOK = 100_000L;

  private Await() {}

  /** Returns as soon as the condition holds. */
  public static void until(String what, BooleanSupplier condition) {
    long began = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - began > MOST) {
        throw new AssertionError("did not happen within 20 s: " + what);
      }
      LockSupport.parkNanos(LOOK);
    }
  }
}
