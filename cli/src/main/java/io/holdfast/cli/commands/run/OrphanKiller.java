package io.holdfast.cli.commands.run;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A helper process that kills a command's process tree if this program dies.
 *
 * <p>It notices the end of its input, even after {@code kill -9}. The kernel can end the command
 * itself then, but not the processes that the command has started.
 */
final class OrphanKiller implements AutoCloseable {

  private static final String SCRIPT =
      """
      trap '' INT TERM HUP QUIT TSTP
      read -r word
      [ "$word" = over ] && exit
      n=0
      while [ $n -lt 100 ]; do
        pids=$(grep -lsz "^$1=.*$2" /proc/[0-9]*/environ | sed 's|/proc/||; s|/environ||')
        [ -n "$pids" ] || exit
        kill -KILL $pids
        n=$((n + 1))
        sleep 0.05
      done
      """;

  private final Process process;

  private OrphanKiller(Process process) {
    this.process = process;
  }

  /** Starts the helper, before there is anything to guard. */
  static OrphanKiller start(String mark) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", SCRIPT, "holdfast-guard", CommandProcessTree.VARIABLE, mark)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    // Else it would end itself, or an outer run would end it first.
    builder.environment().remove(CommandProcessTree.VARIABLE);
    return new OrphanKiller(builder.start());
  }

  /** Ends it without killing anything. */
  @Override
  public void close() {
    try (OutputStream input = process.getOutputStream()) {
      input.write("over\n".getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      process.destroyForcibly();
    }
  }
}
