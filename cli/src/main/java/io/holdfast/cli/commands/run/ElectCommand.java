package io.holdfast.cli.commands.run;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.Outcome;
import io.holdfast.cli.Screen;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code elect}: runs a command on the machine that leads. */
@Command(
    name = "elect",
    description = {
      "Runs a command on the one of many machines that leads, for as long as it leads.",
      "Unlike 'run' it goes on when leadership is lost: it ends the command and becomes",
      "a candidate again."
    },
    footer = {
      "",
      "It ends when the command ends by itself, with its exit code, or by a signal.",
      "",
      "Example, on every machine:",
      "  holdfast elect scheduler --store etcd://h1,h2,h3 -- ./scheduler --foreground"
    })
public final class ElectCommand implements Callable<Integer> {

  /** The other candidates first: a machine that has just lost leadership may be faulty. */
  private static final long PAUSE_MILLIS = 250;

  @Mixin private CommandOptions work = new CommandOptions();

  /** For picocli. */
  public ElectCommand() {}

  @Override
  public Integer call() {
    SignalHandling signals = SignalHandling.interruptingThisThread();
    return work.at("elect", signals, holdfast -> elect(holdfast, signals));
  }

  private int elect(Holdfast holdfast, SignalHandling signals) throws InterruptedException {
    Duration grace = work.grace(holdfast);
    DistributedLock lock = holdfast.lock(work.name());
    while (true) {
      OptionalInt code = lead(stand(holdfast, lock), grace, signals);
      if (code.isPresent()) {
        return code.getAsInt();
      }
      Screen.say("not leading " + work.name() + " any more; standing again");
      UninterruptibleSleep.millis(PAUSE_MILLIS);
    }
  }

  /** What to end with; empty when leadership was lost, and it is to stand again. */
  private OptionalInt lead(Hold hold, Duration grace, SignalHandling signals) {
    Screen.say("leading " + work.name() + ", token " + hold.token());
    SupervisedCommand.End end;
    Outcome outcome;
    try {
      end = new SupervisedCommand(work.setpriv(), hold, grace, signals).run(work.command());
    } finally {
      outcome = hold.release();
    }
    if (end instanceof SupervisedCommand.End.Ended ended) {
      if (outcome == Outcome.LOST) {
        Screen.say(work.name() + " was lost when the command had ended");
      }
      return OptionalInt.of(ended.code());
    }
    return signals.came() ? OptionalInt.of(signals.exitCode()) : OptionalInt.empty();
  }

  private static Hold stand(Holdfast holdfast, DistributedLock lock) throws InterruptedException {
    try (WaitingNote note = WaitingNote.about(holdfast, lock.name())) {
      return lock.acquire();
    }
  }
}
