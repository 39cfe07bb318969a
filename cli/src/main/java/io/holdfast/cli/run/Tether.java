package io.holdfast.cli.run;

import io.holdfast.Hold;
import io.holdfast.cli.Screen;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a command within its hold.
 *
 * <p>Why all of it is gone before a rival can be in: {@link Hold#remaining()} counts down to an
 * instant that is before the end of the lease in the store. Renewals that succeed move that
 * instant. When it is {@code grace} away the family gets TERM, and when it is the last stretch of
 * that away it gets KILL, from this thread, which does nothing else. A hold that is over sooner,
 * because an operator took it or the machine slept, is told within 50 ms, and then KILL comes at
 * once.
 */
final class Tether {

  /** How a command ended. */
  sealed interface End {

    /** By itself, or by a signal that was sent to this program. */
    record Ended(int code) implements End {}

    /** It was ended, because the hold was. */
    record Lost(String why) implements End {}
  }

  private static final Duration LAST_STRETCH = Duration.ofMillis(500);
  private static final Duration LOOK = Duration.ofMillis(20);

  private final Hold hold;
  private final Duration grace;
  private final Duration lastStretch;
  private final Signals signals;
  private volatile @Nullable String lost;
  private volatile boolean killed;

  /**
   * A tether.
   *
   * @param grace at most half of the lease
   */
  Tether(Hold hold, Duration grace, Signals signals) {
    this.hold = hold;
    this.grace = grace;
    this.signals = signals;
    Duration third = grace.dividedBy(3);
    this.lastStretch = third.compareTo(LAST_STRETCH) < 0 ? third : LAST_STRETCH;
  }

  /** Runs the command to its end. Does not release the hold. */
  End run(List<String> command) {
    try (Child child = Child.start(command, hold)) {
      signals.passTo(child);
      hold.onExpiring(grace, () -> expiring(child));
      hold.onLoss(loss -> end(child, loss.toString()));
      while (!isOver(child)) {
        // Each look decides anew.
      }
      signals.passToNobody();
      String why = lost;
      return why == null ? new End.Ended(child.exitCode()) : new End.Lost(why);
    }
  }

  private boolean isOver(Child child) {
    try {
      if (child.waitFor(untilNextLook())) {
        if (killed || isCalm() || child.isGone()) {
          return true;
        }
        Pause.millis(LOOK.toMillis());
      }
    } catch (InterruptedException e) {
      return false; // a signal came: there is another time to look at
    }
    if (hold.remaining().compareTo(lastStretch) <= 0) {
      end(child, "the store did not confirm a renewal in time");
    } else if (signals.came() && signals.left(grace).isNegative()) {
      kill(child);
    }
    return false;
  }

  /** Whether nobody asked it to end: then what it leaves behind is its own business. */
  private boolean isCalm() {
    return lost == null && !signals.came();
  }

  private Duration untilNextLook() {
    Duration left = killed ? LOOK : hold.remaining().minus(lastStretch);
    if (signals.came() && signals.left(grace).compareTo(left) < 0) {
      left = signals.left(grace);
    }
    return left.compareTo(LOOK) < 0 ? LOOK : left;
  }

  private void expiring(Child child) {
    lost = "the store does not confirm renewals";
    note("renewals fail; the command is asked to end");
    child.signal("TERM");
  }

  private void end(Child child, String why) {
    lost = why;
    kill(child);
  }

  private void kill(Child child) {
    if (killed) {
      return;
    }
    killed = true;
    List<ProcessHandle> left = child.kill();
    if (!left.isEmpty()) {
      note("these processes could not be ended: " + left.stream().map(ProcessHandle::pid).toList());
    }
  }

  private void note(String text) {
    Screen.err().line("holdfast: " + hold.name() + ": " + text);
  }
}
