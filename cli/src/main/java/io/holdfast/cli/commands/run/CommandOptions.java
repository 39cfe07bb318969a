package io.holdfast.cli.commands.run;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.cli.CliException;
import io.holdfast.cli.Durations;
import io.holdfast.cli.ErrorReport;
import io.holdfast.cli.ExecutableFinder;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Setpriv;
import io.holdfast.cli.store.StoreOption;
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

/** The command to run and its options, shared by {@code run}, {@code once} and {@code elect}. */
final class CommandOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Mixin private StoreOption store = new StoreOption();

  @Option(
      names = "--lease",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "How long the lock stays taken when this program or its machine dies: 2s to 24h,"
              + " default 30s. It is renewed while the command runs.")
  private @Nullable Duration lease;

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "How long the command may take to end after TERM, before it gets KILL; default a third"
              + " of the lease, at least a sixth of it (or 1500ms if that is less; never below"
              + " 300ms) and at most two fifths of it.")
  private @Nullable Duration grace;

  @Option(
      names = "--label",
      paramLabel = "TEXT",
      description = "What 'holdfast show' prints next to the holder's host and process.")
  private @Nullable String label;

  @Parameters(index = "0", paramLabel = "NAME", description = "Name of the lock, job or election.")
  private String name = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "-- COMMAND",
      description = "The command and its arguments, passed unchanged. The -- is required.")
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

    /** Returns the exit code. */
    int run(Holdfast holdfast) throws InterruptedException;
  }

  /**
   * Opens the store for a command of that name, runs the work, and closes it. Errors are reported
   * before closing, which may take some seconds while the store is unreachable and something may be
   * held.
   *
   * @throws ParameterException as {@link #open}
   */
  int at(String as, SignalHandling signals, Errand errand) {
    try (Holdfast holdfast = open(as)) {
      try {
        return errand.run(holdfast);
      } catch (InterruptedException e) {
        return signals.exitCode();
      } catch (RuntimeException e) {
        return ErrorReport.report(e);
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
    ExecutableFinder.require(command.get(0));
    setpriv = Setpriv.tried();
    HoldfastOptions options =
        HoldfastOptions.DEFAULTS
            .withApp("holdfast " + as)
            .withText(label == null ? program() : label)
            .withTraceAcquires(false);
    if (lease != null) {
      if (store.address().says("lease") || store.address().says("fixedLease")) {
        throw new CliException(
            ExitCode.USAGE, "the lease is given twice: by --lease and in the store's address");
      }
      options = options.withLease(lease);
    }
    return store.openShared(options);
  }

  /** The processes tied to this program; shared by all commands of a repeated candidacy. */
  Setpriv setpriv() {
    Setpriv tried = setpriv;
    if (tried == null) {
      throw new IllegalStateException("not opened");
    }
    return tried;
  }

  /**
   * Without {@code --} our parser would take options of the command that we have as well, as the
   * {@code -n} of {@code run x head -n 3}, and the command runs without them.
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
    Duration least = SupervisedCommand.shortestGrace(given);
    Duration most = SupervisedCommand.longestGrace(given);
    boolean tooShort = grace.compareTo(least) < 0;
    if (tooShort || grace.compareTo(most) > 0) {
      throw new CliException(
          ExitCode.USAGE,
          "--grace must be %s to %s, as the lease is %s; with %s"
              .formatted(
                  Durations.typed(least),
                  Durations.typed(most),
                  Durations.typed(given),
                  tooShort
                      ? "less, KILL could come too late"
                      : "more, a renewal that is a little late would end the command"));
    }
    return grace;
  }
}
