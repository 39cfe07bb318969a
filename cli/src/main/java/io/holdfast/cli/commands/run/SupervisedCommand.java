package io.holdfast.cli.commands.run;

import io.holdfast.Hold;
import io.holdfast.Loss;
import io.holdfast.cli.Screen;
import io.holdfast.cli.Setpriv;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a command while a hold lasts, and ends it before the hold does.
 *
 * <p>Why all its processes are gone before a rival can be granted the lock: {@link
 * Hold#remaining()} counts down to an instant that is before the end of the lease in the store.
 * Renewals that succeed move that instant. When it is {@code grace} away, all processes get TERM;
 * when it is the last stretch of that away, or would have been without renewals since then, they
 * get KILL, from the thread that waits for the command. That thread checks four times a second at
 * least, because a suspended machine moves the end while it sleeps: only {@link Hold#remaining()},
 * which asks the wall clock too, shows that. A hold that ends sooner, because an operator took it,
 * is reported within 50 ms, and then KILL comes at once.
 *
 * <p>Why no process is left when {@link #run} returns after a loss: it returns when a KILL has seen
 * all of them gone, or when a check finds none, and both hold the same monitor. So it cannot return
 * in the middle of a KILL that another thread sends.
 */
final class SupervisedCommand {

  /** How a command ended. */
  sealed interface End {

    /** By itself, or by a signal that was sent to this program. */
    record Ended(int code) implements End {}

    /**
     * It was ended, because the hold had ended.
     *
     * @param why what happened to the command, and the cause
     */
    record Lost(String why) implements End {}
  }

  /** How long before the end KILL comes, if the grace has room for it. */
  private static final Duration LAST_STRETCH = Duration.ofMillis(500);

  /** The part of the grace that the last stretch has at most. */
  private static final int PART = 3;

  /** A KILL takes less than a third of that, with some to spare. */
  private static final Duration SHORTEST_GRACE = Duration.ofMillis(300);

  private static final Duration LOOK = Duration.ofMillis(20);
  private static final Duration LONGEST_LOOK = Duration.ofMillis(250);

  private final Setpriv setpriv;
  private final Hold hold;
  private final Duration grace;
  private final Duration lastStretch;
  private final SignalHandling signals;
  private volatile @Nullable String lost;
  private volatile long killAt;
  private volatile boolean killed;
  private boolean over;

  /**
   * Creates a supervisor.
   *
   * @param setpriv how the command is tied to this program
   * @param grace from {@link #shortestGrace} to {@link #longestGrace}
   */
  SupervisedCommand(Setpriv setpriv, Hold hold, Duration grace, SignalHandling signals) {
    this.setpriv = setpriv;
    this.hold = hold;
    this.grace = grace;
    this.signals = signals;
    this.lastStretch = shorter(grace.dividedBy(PART), LAST_STRETCH);
  }

  /**
   * In whole milliseconds. With less, KILL could come too late: a sixth of the lease, or as much as
   * has room for the whole last stretch.
   */
  static Duration shortestGrace(Duration lease) {
    Duration sixth = Duration.ofMillis(lease.toMillis() / 6);
    Duration enough = shorter(sixth, LAST_STRETCH.multipliedBy(PART));
    return enough.compareTo(SHORTEST_GRACE) < 0 ? SHORTEST_GRACE : enough;
  }

  /**
   * In whole milliseconds. Renewals begin at a third of the lease: with more, a renewal that is
   * late by little would have the command ended.
   */
  static Duration longestGrace(Duration lease) {
    return Duration.ofMillis(lease.toMillis() * 2 / 5);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /**
   * Runs the command to its end. Does not start it if a signal has come, or if the hold is over.
   * Does not release the hold.
   */
  End run(List<String> command) {
    if (signals.came()) {
      return new End.Ended(signals.exitCode());
    }
    if (!hold.isHeld()) {
      String cause = hold.loss().map(Loss::toString).orElse("its time was over");
      return new End.Lost("the command was not started: " + cause);
    }
    return run(CommandProcess.start(setpriv, command, hold));
  }

  /** Supervises a command that was just started, until its end, and closes it. */
  End run(CommandProcess started) {
    try (CommandProcess child = started) {
      try {
        follow(child);
      } catch (RuntimeException | Error e) {
        // The caller releases the hold next, and nothing may run without it.
        kill(child);
        throw e;
      } finally {
        signals.passToNobody();
      }
      String why = lost;
      return why == null
          ? new End.Ended(child.exitCode())
          // What the hold itself says is the cause; ours may only be what followed from it.
          : new End.Lost("the command was ended: " + hold.loss().map(Loss::toString).orElse(why));
    }
  }

  private void follow(CommandProcess child) {
    signals.passTo(child);
    hold.onExpiring(grace, () -> expiring(child));
    hold.onLoss(loss -> end(child, loss.toString()));
    while (!isOver(child)) {
      // Each check decides again.
    }
  }

  private boolean isOver(CommandProcess child) {
    try {
      if (child.waitFor(untilNextLook())) {
        if (isCalm()) {
          signals.ended(child.exitCode());
        }
        if (nothingToEnd(child)) {
          return true;
        }
        // After KILL nothing is urgent any more, and a look takes some time of the processor.
        UninterruptibleSleep.millis((killed ? LONGEST_LOOK : LOOK).toMillis());
      }
    } catch (InterruptedException e) {
      return false; // a signal came: there is another time to look at
    }
    if (hold.remaining().compareTo(lastStretch) <= 0) {
      end(child, "no renewal was confirmed in time, or the machine slept");
    } else if (untilKill().isNegative()) {
      kill(child);
    }
    return false;
  }

  /**
   * Waits for a KILL that is going on. From then on remaining processes are the command's own
   * business. A process that survives a KILL keeps a valid hold, as no other holder may be granted
   * meanwhile.
   */
  private synchronized boolean nothingToEnd(CommandProcess child) {
    over = isCalm() || (killed && lost != null) || child.isGone();
    return over;
  }

  /** Whether the command ended by itself: then processes that it leaves are its own business. */
  private boolean isCalm() {
    return lost == null && !signals.came();
  }

  private Duration untilNextLook() {
    Duration left =
        shorter(shorter(LONGEST_LOOK, hold.remaining().minus(lastStretch)), untilKill());
    return left.compareTo(LOOK) < 0 ? LOOK : left;
  }

  /**
   * How long processes that were asked to end may still take. That does not depend on the hold,
   * which may be renewed again by then.
   */
  private Duration untilKill() {
    Duration left = signals.came() ? signals.left(grace) : LONGEST_LOOK;
    return lost == null ? left : shorter(left, Duration.ofNanos(killAt - System.nanoTime()));
  }

  private void expiring(CommandProcess child) {
    if (begin("the store does not confirm renewals")) {
      // The signal first: a terminal or a pipe may keep the note waiting.
      child.signal("TERM");
      note("renewals fail; the command is asked to end");
    }
  }

  private void end(CommandProcess child, String why) {
    if (begin(why)) {
      kill(child);
    }
  }

  /** False after the command has ended. */
  private synchronized boolean begin(String why) {
    if (!over) {
      if (lost == null) {
        killAt = System.nanoTime() + grace.minus(lastStretch).toNanos();
      }
      lost = why;
    }
    return !over;
  }

  private void kill(CommandProcess child) {
    List<ProcessHandle> left = killOnce(child);
    if (!left.isEmpty()) {
      note(
          "these processes could not be ended: "
              + left.stream().map(ProcessHandle::pid).toList()
              + (lost == null ? "; the lock is kept until they are gone" : ""));
    }
  }

  /** Counts as killed only afterwards: callers that come meanwhile wait for it. */
  private synchronized List<ProcessHandle> killOnce(CommandProcess child) {
    if (killed) {
      return List.of();
    }
    List<ProcessHandle> left = child.kill();
    killed = true;
    return left;
  }

  private void note(String text) {
    Screen.say(hold.name() + ": " + text);
  }
}
