package io.holdfast.cli.commands.run;

import io.holdfast.cli.Durations;
import io.holdfast.cli.ExitCode;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options for how long to wait, and for the exit code afterwards. */
final class WaitOptions {

  /** Said in one of two ways. */
  static final class Limit {

    @Option(
        names = {"-w", "--wait"},
        paramLabel = "TIME",
        converter = Durations.class,
        description =
            "How long to wait, such as 30s. Default: without limit; 'once' waits no longer than its"
                + " mark would last.")
    private @Nullable Duration wait;

    @Option(
        names = {"-n", "--no-wait"},
        description = "Do not wait: end at once if the lock is busy.")
    private boolean noWait;
  }

  @ArgGroup private @Nullable Limit limit;

  @Option(
      names = {"-E", "--conflict-exit-code"},
      paramLabel = "CODE",
      converter = ExitCodeConverter.class,
      description = "Exit code if the lock was not free in time; default 1.")
  private int conflict = ExitCode.NOT_ACQUIRED;

  boolean asksOnce() {
    return limit != null && limit.noWait;
  }

  /** Empty: nothing was said. */
  Optional<Duration> bound() {
    return limit == null ? Optional.empty() : Optional.ofNullable(limit.wait);
  }

  int conflictCode() {
    return conflict;
  }
}
