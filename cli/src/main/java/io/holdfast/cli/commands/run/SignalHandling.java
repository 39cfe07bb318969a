package io.holdfast.cli.commands.run;

import io.holdfast.cli.ExitCode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Handles the signals that ask this program to end. While it waits, a signal interrupts it, and it
 * ends without the lock. While a command runs, signals go to the command and its descendants, which
 * have the grace period to end.
 *
 * <p>{@code QUIT} is not among them: the virtual machine keeps that one for itself.
 */
final class SignalHandling {

  /** Leaving, which is one or two questions to the store, takes less. */
  private static final Duration LEAVING = Duration.ofSeconds(3);

  /** How long the virtual machine may take to report the key that ended the command. */
  private static final Duration HEARING = Duration.ofMillis(500);

  /** The number of QUIT, which the terminal sends for Ctrl-backslash. */
  private static final int QUIT = 3;

  private final Thread waiting;
  private @Nullable CommandProcess child;
  private @Nullable TerminationSignal received;
  private long receivedAt;
  private long leavingSince;
  private boolean keyed;

  /** Creates a handler that is not registered for any signal. */
  SignalHandling(Thread waiting) {
    this.waiting = waiting;
  }

  /** Registers for all signals; ignored signals, as under nohup, stay ignored. */
  static SignalHandling interruptingThisThread() {
    SignalHandling signals = new SignalHandling(Thread.currentThread());
    for (TerminationSignal signal : TerminationSignal.values()) {
      signal.onArrival(() -> signals.arrived(signal));
    }
    return signals;
  }

  /** Handles a signal. Each is passed on, but only the first starts the grace period. */
  void arrived(TerminationSignal signal) {
    CommandProcess target;
    boolean first;
    synchronized (this) {
      target = child;
      first = received == null;
      if (target != null && signal == TerminationSignal.INT && ProcFiles.isInForeground()) {
        // The terminal has sent it to the command too, which decides what to make of it.
        keyed = true;
        notifyAll();
        return;
      }
      if (first) {
        begin(signal);
      } else if (target == null && System.nanoTime() - leavingSince > LEAVING.toNanos()) {
        // Somebody is impatient: what is held then ends with its lease.
        Runtime.getRuntime().halt(ExitCode.SIGNAL + signal.number());
      }
    }
    if (target != null) {
      target.signal(signal.name());
    }
    if (first) {
      waiting.interrupt();
    }
  }

  private synchronized void begin(TerminationSignal signal) {
    received = signal;
    receivedAt = System.nanoTime();
    leavingSince = receivedAt;
  }

  /**
   * The command has ended with that code. If a key at the terminal did that, what is left of it is
   * asked to end too, as if the signal had come to this program: shells make their background jobs
   * deaf to such keys.
   */
  void ended(int code) throws InterruptedException {
    CommandProcess target;
    synchronized (this) {
      target = child;
      if (received != null || target == null || !awaitKeyPress(code)) {
        return;
      }
      begin(TerminationSignal.INT);
    }
    target.signal(TerminationSignal.TERM.name());
  }

  /**
   * Returns whether a key at the terminal ended the command; waits up to {@link #HEARING} for the
   * INT, which may be reported after the command's end.
   */
  private synchronized boolean awaitKeyPress(int code) throws InterruptedException {
    boolean wasInt = code == ExitCode.SIGNAL + TerminationSignal.INT.number();
    if ((!wasInt && code != ExitCode.SIGNAL + QUIT) || !ProcFiles.isInForeground()) {
      return false;
    }
    long until = System.nanoTime() + HEARING.toNanos();
    for (long left = HEARING.toMillis(); wasInt && !keyed && left > 0; ) {
      wait(left);
      left = (until - System.nanoTime()) / 1_000_000;
    }
    return keyed || !wasInt;
  }

  /** From now on signals go to this command, starting with one that came before. */
  void passTo(CommandProcess target) {
    TerminationSignal early;
    synchronized (this) {
      child = target;
      early = received;
    }
    if (early != null) {
      target.signal(early.name());
    }
  }

  /** Signals go to no command any more. */
  synchronized void passToNobody() {
    child = null;
    keyed = false;
    leavingSince = System.nanoTime();
  }

  /** Whether a signal came. */
  synchronized boolean came() {
    return received != null;
  }

  /** How much of the grace period is left since the first signal. */
  synchronized Duration left(Duration grace) {
    return received == null ? grace : grace.minusNanos(System.nanoTime() - receivedAt);
  }

  /** The exit code of a program that a signal has ended. */
  synchronized int exitCode() {
    return ExitCode.SIGNAL + (received == null ? 0 : received.number());
  }
}
