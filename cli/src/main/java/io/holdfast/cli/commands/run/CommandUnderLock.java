package io.holdfast.cli.commands.run;

import io.holdfast.Hold;
import io.holdfast.Loss;
import io.holdfast.Outcome;
import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Screen;
import io.holdfast.cli.Setpriv;
import java.time.Duration;
import java.util.List;

/** Runs a command under a hold and releases the hold afterwards. */
final class CommandUnderLock {

  private final Setpriv setpriv;
  private final Hold hold;
  private final Duration grace;
  private final SignalHandling signals;

  CommandUnderLock(Setpriv setpriv, Hold hold, Duration grace, SignalHandling signals) {
    this.setpriv = setpriv;
    this.hold = hold;
    this.grace = grace;
    this.signals = signals;
  }

  /**
   * Runs the command and returns its exit code.
   *
   * @throws CliException with {@link ExitCode#LOST} when the hold was lost before it was over
   */
  int run(List<String> command) {
    SupervisedCommand.End end;
    Outcome outcome;
    try {
      end = new SupervisedCommand(setpriv, hold, grace, signals).run(command);
    } finally {
      outcome = hold.release();
    }
    if (end instanceof SupervisedCommand.End.Ended ended && outcome != Outcome.LOST) {
      if (outcome == Outcome.UNKNOWN) {
        Screen.say(
            hold.name()
                + ": the store did not confirm the release; the lock is free at the end of its"
                + " lease");
      }
      return ended.code();
    }
    throw lost(end);
  }

  private CliException lost(SupervisedCommand.End end) {
    String why =
        end instanceof SupervisedCommand.End.Lost lost
            ? lost.why()
            : "the command has ended: "
                + hold.loss().map(Loss::toString).orElse("it was gone at the release");
    return new CliException(
        ExitCode.LOST, hold.name() + " was lost, and " + why + "; check what it did");
  }
}
