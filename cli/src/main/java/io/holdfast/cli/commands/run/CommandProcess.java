package io.holdfast.cli.commands.run;

import io.holdfast.Hold;
import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Setpriv;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The command that runs under a hold; it inherits the terminal, input and output. It dies with this
 * program where the system can do that.
 *
 * <p>The kernel counts it as an end of this program when the <i>thread</i> ends that started the
 * command, so that thread must wait for it.
 */
final class CommandProcess implements AutoCloseable {

  private final Process process;
  private final CommandProcessTree family;
  private final OrphanKiller guard;

  /** A running command. */
  CommandProcess(Process process, CommandProcessTree family, OrphanKiller guard) {
    this.process = process;
    this.family = family;
    this.guard = guard;
  }

  /**
   * Starts the command.
   *
   * @throws CliException when the system cannot
   */
  static CommandProcess start(Setpriv setpriv, List<String> command, Hold hold) {
    try {
      OrphanKiller guard = OrphanKiller.start(hold.id());
      try {
        Process process = builder(setpriv, command, hold).start();
        return new CommandProcess(
            process, new CommandProcessTree(process.toHandle(), hold.id()), guard);
      } catch (IOException | RuntimeException e) {
        guard.close();
        throw e;
      }
    } catch (IOException e) {
      throw new CliException(
          ExitCode.NOT_EXECUTABLE, command.get(0) + ": cannot be started: " + e.getMessage());
    }
  }

  private static ProcessBuilder builder(Setpriv setpriv, List<String> command, Hold hold) {
    List<String> line = new ArrayList<>(setpriv.words());
    line.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(line).inheritIO();
    Map<String, String> environment = builder.environment();
    environment.put("HOLDFAST_LOCK", hold.name());
    environment.put("HOLDFAST_TOKEN", Long.toString(hold.token()));
    environment.merge(CommandProcessTree.VARIABLE, hold.id(), (outer, ours) -> outer + "," + ours);
    return builder;
  }

  /** Whether the command itself has ended within that time. */
  boolean waitFor(Duration time) throws InterruptedException {
    return process.waitFor(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Whether the command and all that came of it have ended. */
  boolean isGone() {
    return !process.isAlive() && family.members().isEmpty();
  }

  /** As a shell says it: 128 and the number of the signal, if one ended it. Only after its end. */
  int exitCode() {
    return process.exitValue();
  }

  /** Sends a signal such as {@code TERM} to the command and all that came of it. */
  void signal(String name) {
    family.signal(name);
  }

  /** Ends the command and all that came of it; returns when they are gone, or after a second. */
  List<ProcessHandle> kill() {
    return family.kill();
  }

  /** Lets go of what is left, if anything, as a shell would. */
  @Override
  public void close() {
    guard.close();
  }
}
