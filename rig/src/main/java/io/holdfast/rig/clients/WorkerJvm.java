package io.holdfast.rig.clients;

import io.holdfast.rig.history.History;
import io.holdfast.rig.history.HistoryWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A JVM that acquires and releases on command, and writes a history. Each command is a line; the
 * replies are {@code ready}, then {@code acquired HOLD NANOS TOKEN ID} and {@code lost HOLD NANOS}.
 */
public final class WorkerJvm implements AutoCloseable {

  /** Far beyond what anything here takes. */
  public static final Duration LONG = Duration.ofSeconds(30);

  /** What a worker got. */
  public record Grant(long nanos, long token, String holdId) {}

  private final ClientJvm jvm;

  private WorkerJvm(ClientJvm jvm) {
    this.jvm = jvm;
  }

  /**
   * Starts one.
   *
   * @param program gets the file of its history and the address of the store as arguments
   * @param folder of the histories
   */
  public static WorkerJvm start(Class<?> program, Path folder, String name, String uri) {
    return start(program, folder, name, uri, Map.of());
  }

  /** Starts one with variables of its environment. */
  public static WorkerJvm start(
      Class<?> program, Path folder, String name, String uri, Map<String, String> environment) {
    JvmSpec spec =
        JvmSpec.of(name, program, folder.resolve(name).toString(), uri)
            .withEnvironment(environment);
    return new WorkerJvm(ClientJvm.start(spec));
  }

  /** All that was written in a folder, by workers and by the test. */
  public static History history(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return History.read(files.toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it is connected. */
  public WorkerJvm awaitReady() {
    jvm.awaitLine("ready", LONG);
    return this;
  }

  /** The process. */
  public ClientJvm jvm() {
    return jvm;
  }

  /** Its name in the history. */
  public String name() {
    return jvm.name();
  }

  /** Makes it acquire a lock; the hold has that id from then on. */
  public void acquire(String lock, String hold, Duration wait) {
    jvm.say("acquire " + lock + " " + hold + " " + wait.toMillis());
  }

  /** Sends a line and returns the reply. */
  public String ask(String line, String answer) {
    jvm.say(line);
    return jvm.awaitLine(answer, LONG);
  }

  /** Waits until it has acquired. */
  public Grant awaitAcquired(String hold) {
    String[] words = jvm.awaitLine("acquired " + hold + " ", LONG).split(" ", -1);
    return new Grant(Long.parseLong(words[2]), Long.parseLong(words[3]), words[4]);
  }

  /** When it was notified of a loss. */
  public long awaitLost(String hold) {
    return Long.parseLong(jvm.awaitLine("lost " + hold + " ", LONG).split(" ", -1)[2]);
  }

  /** Kills it and notes it in the history. */
  public long kill9(HistoryWriter notes) {
    long at = jvm.kill9();
    notes.killed(name(), at);
    return at;
  }

  /** Pauses it and notes it in the history. */
  public long pause(HistoryWriter notes) {
    long at = jvm.pause();
    notes.stalled(name(), at);
    return at;
  }

  @Override
  public void close() {
    jvm.close();
  }
}
