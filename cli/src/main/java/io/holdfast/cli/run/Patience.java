package io.holdfast.cli.run;

import io.holdfast.cli.Durations;
import io.holdfast.cli.ExitCode;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** How long to wait, and what to end with if that was in vain. */
final class Patience {

  /** Said in one of two ways. */
  static final class Limit {

    @Option(
        names = {"-w", "--wait"},
        paramLabel = "TIME",
        converter = Durations.class,
        description =
            "Wait so long, such as 30s; without it, as long as it takes, but 'once' no longer than"
                + " its mark would last.")
    private @Nullable Duration wait;

    @Option(
        names = {"-n", "--no-wait"},
        description = "Do not wait: end at once if others have it.")
    private boolean noWait;
  }

  @ArgGroup private @Nullable Limit limit;

  @Option(
      names = {"-E", "--conflict-exit-code"},
      paramLabel = "CODE",
      converter = ExitCodes.class,
      description = "What to end with when the lock was not free in time; 1 if not said.")
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
