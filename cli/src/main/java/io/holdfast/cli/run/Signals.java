package io.holdfast.cli.run;

import io.holdfast.cli.ExitCode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The signals that this program gets. While it waits they interrupt it, and it ends without the
 * lock; while a command runs they go to the command and all that came of it, which have the grace
 * to end.
 *
 * <p>{@code QUIT} is not among them: the virtual machine keeps that one for itself.
 */
final class Signals {

  private final Thread waiting;
  private @Nullable Child child;
  private @Nullable Signal received;
  private long receivedAt;

  /** Hears of none by itself. */
  Signals(Thread waiting) {
    this.waiting = waiting;
  }

  /** Hears of all that come from now on; those that are ignored, as by nohup, stay so. */
  static Signals interruptingThisThread() {
    Signals signals = new Signals(Thread.currentThread());
    for (Signal signal : Signal.values()) {
      signal.onArrival(() -> signals.came(signal));
    }
    return signals;
  }

  private void came(Signal signal) {
    Child target;
    synchronized (this) {
      target = child;
      if (target == null && received != null) {
        // Somebody is impatient: what is held then ends with its lease.
        Runtime.getRuntime().halt(ExitCode.SIGNAL + signal.number());
      }
      if (target != null && signal == Signal.INT && ProcFiles.isInForeground()) {
        // The terminal has sent it to the command too, which decides what to make of it.
        return;
      }
      received = signal;
      receivedAt = System.nanoTime();
    }
    if (target != null) {
      target.signal(signal.name());
    }
    waiting.interrupt();
  }

  /** From now on they go to this command, with the one that came before, if any. */
  void passTo(Child target) {
    Signal early;
    synchronized (this) {
      child = target;
      early = received;
    }
    if (early != null) {
      target.signal(early.name());
    }
  }

  /** There is no command any more. */
  synchronized void passToNobody() {
    child = null;
  }

  /** Whether one came that asks to end. */
  synchronized boolean came() {
    return received != null;
  }

  /** How much is left of the grace since the last one came. */
  synchronized Duration left(Duration grace) {
    return received == null ? grace : grace.minusNanos(System.nanoTime() - receivedAt);
  }

  /** What a program ends with that a signal has ended. */
  synchronized int exitCode() {
    return ExitCode.SIGNAL + (received == null ? 0 : received.number());
  }
}
