package io.holdfast.rig.servers;

import io.holdfast.rig.process.TempFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * A database's own command-line client, which reads SQL from its standard input. One process for
 * each call, so that the rig needs no driver.
 *
 * @param where names server and database in errors
 * @param command must end when its input does, and fail at the first statement that fails
 * @param environment what the command line of a process must not show, such as a password
 */
record SqlShell(String where, List<String> command, Map<String, String> environment) {
  private static final Duration BOUND = Duration.ofSeconds(20);

  SqlShell {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }

  /**
   * Runs the statements and returns what they selected, without the last end of line.
   *
   * @throws IllegalStateException with the client's own words and the statements, when one failed
   *     or all of them took longer than 20 s
   */
  String run(String sql) {
    return run(sql, word -> word);
  }

  /** As {@link #run(String)}; errors, which quote the statement, show no secret. */
  String run(String sql, String secret) {
    return run(sql, word -> word.replace(secret, "…"));
  }

  private String run(String sql, UnaryOperator<String> shown) {
    // Files, not pipes: a client that hangs is waited for with a bound, and none fills up.
    try (TempFolder folder = TempFolder.create("sql")) {
      Path answer = folder.path().resolve("answer");
      Path errors = folder.path().resolve("errors");
      Path input = Files.writeString(folder.path().resolve("input"), sql + "\n");
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectInput(input.toFile())
              .redirectOutput(answer.toFile())
              .redirectError(errors.toFile());
      builder.environment().putAll(environment);
      Process client = builder.start();
      boolean ended = awaitEnd(client);
      if (!ended || client.exitValue() != 0) {
        String how = ended ? text(errors) : "no reply within " + BOUND.toMillis() + " ms";
        throw new IllegalStateException(
            shown.apply(where + ": " + how + "; the statement was: " + sql));
      }
      return text(answer);
    } catch (IOException e) {
      throw new UncheckedIOException(shown.apply(where + ": " + sql), e);
    }
  }

  private static boolean awaitEnd(Process client) {
    try {
      return client.waitFor(BOUND.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a statement ran", e);
    } finally {
      client.destroyForcibly();
    }
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8).stripTrailing();
  }
}
