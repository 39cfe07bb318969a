package io.holdfast.rig.process;

import io.holdfast.rig.time.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** One started child process: signals, output, end. */
public final class ChildProcess {
  private static final int QUOTED_LINES = 40;
  private static final Duration REAPED = Duration.ofSeconds(10);

  private final LaunchSpec launch;
  private final Process process;
  private final Thread parent;
  private final ProcessTree tree;
  private final Runnable clearing = this::kill9;

  private ChildProcess(LaunchSpec launch, Process process, Thread parent) {
    this.launch = launch;
    this.process = process;
    this.parent = parent;
    this.tree = new ProcessTree(process.toHandle());
  }

  /**
   * Starts the process from a thread that lives exactly as long as the process does: the kernel
   * sends the parent-death signal when the *thread* that started the child ends.
   */
  public static ChildProcess start(LaunchSpec launch) {
    CompletableFuture<Process> started = new CompletableFuture<>();
    Thread parent = new Thread(() -> liveWith(launch, started), "rig-parent-of-" + launch.name());
    parent.setDaemon(true);
    parent.start();
    try {
      ChildProcess child = new ChildProcess(launch, started.join(), parent);
      ExitCleanup.add(child.clearing);
      return child;
    } catch (CompletionException e) {
      throw new IllegalStateException("cannot start " + launch.line(), e.getCause());
    }
  }

  private static void liveWith(LaunchSpec launch, CompletableFuture<Process> started) {
    try {
      ProcessBuilder builder =
          new ProcessBuilder(launch.line())
              .directory(launch.folder().toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(launch.log().toFile()));
      builder.environment().putAll(launch.environment());
      Process process = builder.start();
      started.complete(process);
      process.waitFor();
    } catch (IOException | RuntimeException e) {
      started.completeExceptionally(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Waits at most this long; returns whether it has ended. */
  public boolean awaitExit(Duration bound) {
    try {
      return process.waitFor(bound.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + this, e);
    }
  }

  /** Only after its end. */
  public int exitCode() {
    return process.exitValue();
  }

  /** Returns when it and all that it started are gone; idempotent. */
  public void kill9() {
    tree.kill9();
    ended();
  }

  /** Asks it to end and kills what is left of it after the bound. */
  void stop(Signal signal, Duration bound) {
    if (isAlive()) {
      tree.stop(signal, bound);
    }
    ended();
  }

  private void ended() {
    // The tree can see the end a moment before the JDK has reaped the child and its thread ends.
    Await.until("the end of " + this, REAPED, () -> !process.isAlive() && !parent.isAlive());
    ExitCleanup.remove(clearing);
  }

  public void pause() {
    tree.pause();
  }

  public void resume() {
    tree.resume();
  }

  /** Writes one line to its standard input. */
  public void say(String line) {
    try {
      process.outputWriter(StandardCharsets.UTF_8).append(line).append('\n').flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All that it wrote so far, with what earlier processes wrote to the same file. */
  public String output() {
    try {
      // Lenient about characters, because a process can be killed in the middle of one.
      return Files.exists(launch.log())
          ? new String(Files.readAllBytes(launch.log()), StandardCharsets.UTF_8)
          : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The last lines of its output, for an error message. */
  public String quote() {
    List<String> lines = output().lines().toList();
    int from = Math.max(0, lines.size() - QUOTED_LINES);
    String intro = "the last lines of " + launch.log().getFileName() + ":\n";
    return lines.isEmpty()
        ? "it wrote nothing"
        : intro + String.join("\n", lines.subList(from, lines.size()));
  }

  @Override
  public String toString() {
    return launch.name() + " (process " + pid() + ")";
  }
}
