package io.holdfast.cli.commands.run;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.cli.Durations;
import io.holdfast.cli.Screen;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code run}: runs a command while holding a lock. */
@Command(
    name = "run",
    description = "Runs a command while holding a lock, and ends with its exit code.",
    footer = {
      "",
      "The command gets HOLDFAST_LOCK and HOLDFAST_TOKEN. Give the token to what you",
      "protect: it can refuse a lower one than it has seen.",
      "",
      "Exit codes: that of the command; 1 not acquired (see -E), 64 usage, 69 store,",
      "75 the lock was lost and the command ended, 77 refused, 126/127 cannot be run,",
      "128+N ended by the signal N.",
      "",
      "Examples:",
      "  holdfast run backup -- ./backup.sh",
      "  holdfast run --no-wait --store redis://db deploy -- make deploy",
      "  holdfast run --permits 1/3 --wait 5m render -- ./render.sh 42",
      "  holdfast run --shared data -- ./report.sh",
      "  holdfast run --exclusive data -- ./load.sh"
    })
public final class RunCommand implements Callable<Integer> {

  /** Longer than a usual round trip to a store, including the start of a driver. */
  private static final Duration LONG = Duration.ofSeconds(1);

  @Mixin private CommandOptions work = new CommandOptions();
  @Mixin private WaitOptions patience = new WaitOptions();
  @ArgGroup private LockKindOptions choice = new LockKindOptions();

  /** For picocli. */
  public RunCommand() {}

  @Override
  public Integer call() {
    SignalHandling signals = SignalHandling.interruptingThisThread();
    return work.at("run", signals, holdfast -> run(holdfast, signals));
  }

  private int run(Holdfast holdfast, SignalHandling signals) throws InterruptedException {
    Duration grace = work.grace(holdfast);
    DistributedLock lock = choice.lock(holdfast, work.name());
    Optional<Hold> hold = acquire(holdfast, lock);
    return hold.isEmpty()
        ? patience.conflictCode()
        : new CommandUnderLock(work.setpriv(), hold.get(), grace, signals).run(work.command());
  }

  /**
   * Attempts once before a short wait, because a wait that is shorter than a round trip says
   * nothing about the lock. A long wait attempts by itself, and repeats without a reply; it ends at
   * its time.
   */
  private Optional<Hold> acquire(Holdfast holdfast, DistributedLock lock)
      throws InterruptedException {
    if (!patience.asksOnce() && patience.bound().isEmpty()) {
      try (WaitingNote note = WaitingNote.about(holdfast, work.name())) {
        return Optional.of(lock.acquire());
      }
    }
    boolean waitsLong = patience.bound().filter(bound -> bound.compareTo(LONG) >= 0).isPresent();
    Optional<Hold> hold = waitsLong ? Optional.empty() : lock.tryAcquire();
    if (hold.isEmpty() && !patience.asksOnce()) {
      try (WaitingNote note = WaitingNote.about(holdfast, work.name())) {
        hold = lock.tryAcquire(patience.bound().get());
      }
    }
    if (hold.isEmpty()) {
      String waited =
          patience
              .bound()
              .map(bound -> "waited for " + Durations.text(bound))
              .orElse("not waited for, as --no-wait says");
      Screen.say(HolderText.of(holdfast, work.name()) + "; " + waited);
    }
    return hold;
  }
}
