package io.holdfast.cli.run;

import java.util.concurrent.locks.LockSupport;

/** Doing nothing for a moment, whatever signals come. */
final class Pause {

  private Pause() {}

  /** Keeps an interrupt for whoever waits next. */
  static void millis(long millis) {
    boolean interrupted = Thread.interrupted();
    LockSupport.parkNanos(millis * 1_000_000);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
