package io.holdfast.cli.run;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.cli.CliException;
import io.holdfast.cli.Durations;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Program;
import io.holdfast.cli.Setpriv;
import io.holdfast.cli.StoreOption;
import io.holdfast.cli.Trouble;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What is to be run, and on what terms: the options that all commands of this package have. */
final class Work {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Mixin private StoreOption store = new StoreOption();

  @Option(
      names = "--lease",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "How long the lock stays taken when this program or its machine dies; 30s if not said,"
              + " 2s to 24h. It is renewed for as long as the command runs.")
  private @Nullable Duration lease;

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "How long the command may take to end after TERM, before it gets KILL; a third of the"
              + " lease if not said, at least a sixth of it (or 1500ms if that is less; never below"
              + " 300ms) and at most two fifths of it.")
  private @Nullable Duration grace;

  @Option(
      names = "--label",
      paramLabel = "TEXT",
      description = "What others see beside the holder's host and process, in 'holdfast show'.")
  private @Nullable String label;

  @Parameters(index = "0", paramLabel = "NAME", description = "What is locked, done or led.")
  private String name = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "-- COMMAND",
      description = "What to run, and its arguments as they are. The -- is needed.")
  private List<String> command = new ArrayList<>();

  private @Nullable Setpriv setpriv;

  String name() {
    return name;
  }

  List<String> command() {
    return command;
  }

  /** What a command does at the store. */
  interface Errand {

    /** Answers the code to end with. */
    int run(Holdfast holdfast) throws InterruptedException;
  }

  /**
   * Opens the store for a command of that name, does that, and closes it. What goes wrong is told
   * before closing, which may take some seconds where the store is away and something may be held.
   *
   * @throws ParameterException as {@link #open}
   */
  int at(String as, Signals signals, Errand errand) {
    try (Holdfast holdfast = open(as)) {
      try {
        return errand.run(holdfast);
      } catch (InterruptedException e) {
        return signals.exitCode();
      } catch (RuntimeException e) {
        return Trouble.report(e);
      }
    }
  }

  /**
   * Opens the store for a command of that name, after a look at whether the work can be run at all.
   *
   * @throws ParameterException when there is no {@code --} right before the command
   */
  Holdfast open(String as) {
    requireDashes();
    Program.require(command.get(0));
    setpriv = Setpriv.tried();
    HoldfastOptions options =
        HoldfastOptions.DEFAULTS
            .withApp("holdfast " + as)
            .withText(label == null ? program() : label)
            .withTraceAcquires(false);
    if (lease != null) {
      if (store.address().says("lease") || store.address().says("fixedLease")) {
        throw new CliException(
            ExitCode.USAGE, "the lease is said twice: by --lease and by the store's address");
      }
      options = options.withLease(lease);
    }
    return store.openShared(options);
  }

  /** What ties the command to this program; the same for all commands of one that stands again. */
  Setpriv setpriv() {
    Setpriv tried = setpriv;
    if (tried == null) {
      throw new IllegalStateException("not opened");
    }
    return tried;
  }

  /**
   * Without it our parser takes those of the command's options that we have as well, as the {@code
   * -n} of {@code run x head -n 3}, and the command runs without them.
   */
  private void requireDashes() {
    List<String> all = spec.commandLine().getParseResult().originalArgs();
    int before = all.size() - command.size() - 1;
    if (before < 0 || !all.get(before).equals("--")) {
      throw new ParameterException(
          spec.commandLine(), "put -- between the name or options and the command: -- COMMAND…");
    }
  }

  /** The arguments are not shown: they may hold secrets. */
  private String program() {
    Path name = Path.of(command.get(0)).getFileName();
    return name == null ? "" : name.toString();
  }

  /** The grace, which must fit the lease that the store gives. */
  Duration grace(Holdfast holdfast) {
    Duration given = holdfast.traits().sessionLease().orElse(holdfast.options().lease());
    if (grace == null) {
      return given.dividedBy(3);
    }
    Duration least = Tether.shortestGrace(given);
    Duration most = Tether.longestGrace(given);
    boolean tooShort = grace.compareTo(least) < 0;
    if (tooShort || grace.compareTo(most) > 0) {
      throw new CliException(
          ExitCode.USAGE,
          "--grace must be %s to %s, as the lease is %s; with %s"
              .formatted(
                  Durations.typed(least),
                  Durations.typed(most),
                  Durations.text(given),
                  tooShort
                      ? "less, KILL could come too late"
                      : "more, a renewal that is a little late would end the command"));
    }
    return grace;
  }
}
