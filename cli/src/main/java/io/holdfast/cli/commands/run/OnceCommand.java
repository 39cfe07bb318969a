package io.holdfast.cli.commands.run;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.Once;
import io.holdfast.cli.CliException;
import io.holdfast.cli.Durations;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Screen;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code once}: runs a command on one of many machines, once per period. */
@Command(
    name = "once",
    description = {
      "Runs a command unless another machine has run it in this period.",
      "Machines that start while it runs wait for its result: if it succeeded they end",
      "without running it; if it failed or died one of them runs it."
    },
    footer = {
      "",
      "A run that ends with 0 counts. Its mark ends a little before the period does",
      "(a tenth of it, at most a minute), so that the next tick of cron finds the way",
      "free. A run that takes longer leaves no mark. So nobody waits longer than a mark",
      "lasts, unless --wait says so.",
      "",
      "Exit codes: that of the command if it ran here; 0 it has been run by another,",
      "which is said at a terminal only (see --done-exit-code); 1 another runs it",
      "still, or was not waited for (see -E); 64 usage, 69 store, 75 the lock was lost",
      "and the command ended, 77 refused, 126/127 cannot be run, 128+N ended by the",
      "signal N.",
      "",
      "Example, the same line in the crontab of every machine:",
      "  0 * * * *  holdfast once report --every 1h --store redis://db -- ./report.sh"
    })
public final class OnceCommand implements Callable<Integer> {

  private static final Duration MOST_SLACK = Duration.ofMinutes(1);

  /** If a start seems to have taken longer, the clock was set meanwhile. */
  private static final Duration SLOWEST_START = Duration.ofSeconds(10);

  @Option(
      names = "--every",
      required = true,
      paramLabel = "TIME",
      converter = Durations.class,
      description = "The period, such as 1h; at least 1s.")
  private Duration every = Duration.ZERO;

  @Option(
      names = "--done-exit-code",
      paramLabel = "CODE",
      converter = ExitCodeConverter.class,
      description = "Exit code if another machine has run it in this period; default 0.")
  private int done = ExitCode.OK;

  @Mixin private CommandOptions work = new CommandOptions();
  @Mixin private WaitOptions patience = new WaitOptions();

  /** For picocli. */
  public OnceCommand() {}

  /** The command ended with another code than 0: no mark is to be left. */
  private static final class FailedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final int code;

    FailedException(int code) {
      super("the command ended with " + code, null, false, false);
      this.code = code;
    }
  }

  @Override
  public Integer call() {
    SignalHandling signals = SignalHandling.interruptingThisThread();
    return work.at("once", signals, holdfast -> once(holdfast, signals));
  }

  private int once(Holdfast holdfast, SignalHandling signals) throws InterruptedException {
    Duration grace = work.grace(holdfast);
    Once once = holdfast.once(work.name(), every);
    Once.Body<FailedException> body = hold -> run(hold, grace, signals);
    try {
      return switch (attempt(holdfast, once, body)) {
        case RAN -> ExitCode.OK;
        case DONE -> {
          sayDone();
          yield done;
        }
        case BUSY -> {
          Screen.say(HolderText.of(holdfast, work.name()) + ", which runs it now");
          yield patience.conflictCode();
        }
      };
    } catch (FailedException e) {
      return e.code;
    }
  }

  /** Cron mails what is printed, and on all machines but one this is how every run ends. */
  private void sayDone() {
    if (Screen.err().isTerminal()) {
      Screen.say(work.name() + " is already done for this period; not run here");
    }
  }

  private Once.Result attempt(Holdfast holdfast, Once once, Once.Body<FailedException> body)
      throws FailedException, InterruptedException {
    if (patience.asksOnce()) {
      return once.runNoWait(body);
    }
    try (WaitingNote note = WaitingNote.about(holdfast, work.name())) {
      return once.run(
          patience.bound().orElseGet(this::usualWait),
          hold -> {
            note.close();
            body.run(hold);
          });
    }
  }

  /**
   * Returns how long a mark would last, counted from the start of this process.
   *
   * <p>A run that takes longer than that leaves no mark, so that a caller that still waits at its
   * end would run it again. Machines of the same tick do not wait so long: they started together
   * with the runner, or before its run began, and so they give up before its mark would end.
   */
  private Duration usualWait() {
    Duration mark = every.minus(shorter(every.dividedBy(10), MOST_SLACK));
    Instant now = Instant.now();
    Instant started = ProcessHandle.current().info().startInstant().orElse(now);
    // Some time must be left in any case, else a slow way to the store would look like a busy one.
    Duration most = shorter(SLOWEST_START, mark.dividedBy(2));
    Duration start = shorter(Duration.between(started, now), most);
    return start.isNegative() ? mark : mark.minus(start);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private void run(Hold hold, Duration grace, SignalHandling signals) throws FailedException {
    SupervisedCommand.End end =
        new SupervisedCommand(work.setpriv(), hold, grace, signals).run(work.command());
    if (end instanceof SupervisedCommand.End.Lost lost) {
      throw new CliException(
          ExitCode.LOST, work.name() + " was lost, and " + lost.why() + "; another may run it");
    }
    int code = ((SupervisedCommand.End.Ended) end).code();
    if (code != 0) {
      throw new FailedException(code);
    }
  }
}
