package io.holdfast.cli.run;

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

/** {@code holdfast elect}: a command on whichever machine leads. */
@Command(
    name = "elect",
    description = {
      "Runs a command on the one of many machines that leads, for as long as it leads.",
      "Unlike 'run' it goes on when leadership is lost: the command is ended, and it",
      "stands again."
    },
    footer = {
      "",
      "It ends when the command ends by itself, with its exit code, or by a signal.",
      "",
      "Example, on every machine:",
      "  holdfast elect scheduler --store etcd://h1,h2,h3 -- ./scheduler --foreground"
    })
public final class ElectCommand implements Callable<Integer> {

  /** The others first: a machine that has just lost it may be the one that is ill. */
  private static final long PAUSE_MILLIS = 250;

  @Mixin private Work work = new Work();

  /** For picocli. */
  public ElectCommand() {}

  @Override
  public Integer call() {
    Signals signals = Signals.interruptingThisThread();
    return work.at("elect", signals, holdfast -> elect(holdfast, signals));
  }

  private int elect(Holdfast holdfast, Signals signals) throws InterruptedException {
    Duration grace = work.grace(holdfast);
    DistributedLock lock = holdfast.lock(work.name());
    while (true) {
      OptionalInt code = lead(stand(holdfast, lock), grace, signals);
      if (code.isPresent()) {
        return code.getAsInt();
      }
      Screen.say("not leading " + work.name() + " any more; standing again");
      Pause.millis(PAUSE_MILLIS);
    }
  }

  /** What to end with; empty when leadership was lost, and it is to stand again. */
  private OptionalInt lead(Hold hold, Duration grace, Signals signals) {
    Screen.say("leading " + work.name() + ", token " + hold.token());
    Tether.End end;
    Outcome outcome;
    try {
      end = new Tether(work.setpriv(), hold, grace, signals).run(work.command());
    } finally {
      outcome = hold.release();
    }
    if (end instanceof Tether.End.Ended ended) {
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
