package io.holdfast.redis.faults;

import io.holdfast.rig.ClientJvm;
import io.holdfast.rig.History;
import io.holdfast.rig.HistoryWriter;
import io.holdfast.rig.JvmSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

/** A {@link Worker} in a JVM of its own. */
final class WorkerJvm implements AutoCloseable {

  /** Far beyond what anything here takes. */
  static final Duration LONG = Duration.ofSeconds(30);

  /** What a worker got. */
  record Grant(long nanos, long token, String holdId) {}

  private final ClientJvm jvm;

  private WorkerJvm(ClientJvm jvm) {
    this.jvm = jvm;
  }

  static WorkerJvm start(Path folder, String name, String uri) {
    return start(folder, name, uri, Map.of());
  }

  static WorkerJvm start(Path folder, String name, String uri, Map<String, String> environment) {
    JvmSpec spec =
        JvmSpec.of(name, Worker.class, folder.resolve(name).toString(), uri)
            .withEnvironment(environment);
    return new WorkerJvm(ClientJvm.start(spec));
  }

  /** All that was written in a folder, by workers and by the test. */
  static History history(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return History.read(files.toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  WorkerJvm awaitReady() {
    jvm.awaitLine("ready", LONG);
    return this;
  }

  ClientJvm jvm() {
    return jvm;
  }

  String name() {
    return jvm.name();
  }

  void acquire(String lock, String hold, Duration wait) {
    jvm.say("acquire " + lock + " " + hold + " " + wait.toMillis());
  }

  void pass(String lock, String hold, Duration wait) {
    jvm.say("pass " + lock + " " + hold + " " + wait.toMillis());
  }

  Grant awaitAcquired(String hold) {
    String[] words = jvm.awaitLine("acquired " + hold + " ", LONG).split(" ", -1);
    return new Grant(Long.parseLong(words[2]), Long.parseLong(words[3]), words[4]);
  }

  /** When it was told of a loss. */
  long awaitLost(String hold) {
    return Long.parseLong(jvm.awaitLine("lost " + hold + " ", LONG).split(" ", -1)[2]);
  }

  /** Kills it and notes it in the history. */
  long kill9(HistoryWriter notes) {
    long at = jvm.kill9();
    notes.killed(name(), at);
    return at;
  }

  /** Pauses it and notes it in the history. */
  long pause(HistoryWriter notes) {
    long at = jvm.pause();
    notes.stalled(name(), at);
    return at;
  }

  @Override
  public void close() {
    jvm.close();
  }
}
