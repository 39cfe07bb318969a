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

  /** Leaving, which is one or two questions to the store, takes less. */
  private static final Duration LEAVING = Duration.ofSeconds(3);

  /** By when the virtual machine has told of a key that has ended the command. */
  private static final Duration HEARING = Duration.ofMillis(500);

  /** That of QUIT, as which the terminal sends Ctrl-backslash. */
  private static final int QUIT = 3;

  private final Thread waiting;
  private @Nullable Child child;
  private @Nullable Signal received;
  private long receivedAt;
  private long leavingSince;
  private boolean keyed;

  /** Hears of none by itself. */
  Signals(Thread waiting) {
    this.waiting = waiting;
  }

  /** Hears of all that come from now on; those that are ignored, as by nohup, stay so. */
  static Signals interruptingThisThread() {
    Signals signals = new Signals(Thread.currentThread());
    for (Signal signal : Signal.values()) {
      signal.onArrival(() -> signals.arrived(signal));
    }
    return signals;
  }

  /** One came. All that ask to end are passed on, but only the first counts for the grace. */
  void arrived(Signal signal) {
    Child target;
    boolean first;
    synchronized (this) {
      target = child;
      first = received == null;
      if (target != null && signal == Signal.INT && ProcFiles.isInForeground()) {
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

  private synchronized void begin(Signal signal) {
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
    Child target;
    synchronized (this) {
      target = child;
      if (received != null || target == null || !isByKey(code)) {
        return;
      }
      begin(Signal.INT);
    }
    target.signal(Signal.TERM.name());
  }

  /** Only INT is heard of, but maybe later than the end of the command is. */
  private synchronized boolean isByKey(int code) throws InterruptedException {
    boolean wasInt = code == ExitCode.SIGNAL + Signal.INT.number();
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
    keyed = false;
    leavingSince = System.nanoTime();
  }

  /** Whether one came that asks to end. */
  synchronized boolean came() {
    return received != null;
  }

  /** How much is left of the grace since the first one came. */
  synchronized Duration left(Duration grace) {
    return received == null ? grace : grace.minusNanos(System.nanoTime() - receivedAt);
  }

  /** What a program ends with that a signal has ended. */
  synchronized int exitCode() {
    return ExitCode.SIGNAL + (received == null ? 0 : received.number());
  }
}
