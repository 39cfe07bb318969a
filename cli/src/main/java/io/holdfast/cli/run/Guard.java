package io.holdfast.cli.run;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A small process that ends the family of a command when this program is gone without a word, be it
 * by {@code kill -9}: it sees the end of its input. The kernel can do that for the command itself,
 * but not for what the command has started.
 */
final class Guard implements AutoCloseable {

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

  private Guard(Process process) {
    this.process = process;
  }

  /** Starts it, before there is anything to guard. */
  static Guard start(String mark) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", SCRIPT, "holdfast-guard", Family.VARIABLE, mark)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    // Else it would be one of those that it ends, or that an outer run ends first.
    builder.environment().remove(Family.VARIABLE);
    return new Guard(builder.start());
  }

  /** Tells it that all is well. */
  @Override
  public void close() {
    try (OutputStream input = process.getOutputStream()) {
      input.write("over\n".getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      process.destroyForcibly();
    }
  }
}
