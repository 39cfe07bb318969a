package io.holdfast.rig.servers;

import io.holdfast.rig.time.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A database's own client, logged in until it is closed or thrown out. */
final class SqlSession implements AutoCloseable {
  private final Process client;
  private final BufferedReader answers;

  private SqlSession(List<String> command) {
    try {
      client = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    answers = client.inputReader(StandardCharsets.UTF_8);
    say("SELECT 'ready';");
  }

  static SqlSession open(PostgresServer server) {
    return new SqlSession(
        PostgresPrograms.psql("session", server.port(), PostgresServer.DATABASE).command());
  }

  static SqlSession open(PgBouncer bouncer) {
    return new SqlSession(
        PostgresPrograms.psql("session", bouncer.port(), PostgresServer.DATABASE).command());
  }

  static SqlSession open(MariaDbServer server) {
    List<String> command =
        new ArrayList<>(
            MariaDbPrograms.client("session", server.port(), MariaDbServer.DATABASE).command());
    command.add("--unbuffered");
    return new SqlSession(command);
  }

  void say(String statement) {
    try {
      client.outputWriter(StandardCharsets.UTF_8).append(statement).append('\n').flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next line; the timeout of the test is the bound. */
  String answer() {
    try {
      return answers.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    client.destroyForcibly();
    Await.until("the end of a client", Duration.ofSeconds(5), () -> !client.isAlive());
  }
}
