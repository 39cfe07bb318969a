package io.holdfast.cli.commands.run;

import java.util.concurrent.locks.LockSupport;

/** Sleeps for a moment and ignores interrupts until the end. */
final class UninterruptibleSleep {

  private UninterruptibleSleep() {}

  /** Keeps an interrupt for the next wait. */
  static void millis(long millis) {
    boolean interrupted = Thread.interrupted();
    LockSupport.parkNanos(millis * 1_000_000);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
