package io.holdfast.torture;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Short commands of the system. */
final class Commands {
  private static final String SBIN = "/usr/sbin:/sbin";

  private Commands() {}

  /**
   * Runs one to its end.
   *
   * @throws IllegalStateException with what it printed, when it failed or did not end
   */
  static void run(Duration bound, List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command));
    builder.redirectErrorStream(true);
    builder.environment().merge("PATH", SBIN, (old, more) -> old + ":" + more);
    String line = String.join(" ", command);
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      boolean ended = process.waitFor(bound.toNanos(), TimeUnit.NANOSECONDS);
      if (!ended) {
        process.destroyForcibly();
        throw new IllegalStateException(line + " did not end within " + bound.toMillis() + " ms");
      }
      if (process.exitValue() != 0) {
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
        throw new IllegalStateException(line + " failed: " + printed);
      }
    } catch (IOException e) {
      throw new IllegalStateException(line + " cannot be run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(line + " was interrupted", e);
    }
  }
}
