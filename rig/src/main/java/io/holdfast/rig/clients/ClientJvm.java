package io.holdfast.rig.clients;

import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.process.ChildProcess;
import io.holdfast.rig.process.LaunchSpec;
import io.holdfast.rig.process.TempFolder;
import io.holdfast.rig.time.Await;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A child JVM with the same class path, which can be killed and paused.
 *
 * <p>May be used by several threads.
 */
public final class ClientJvm implements AutoCloseable {
  private final String name;
  private final TempFolder folder;
  private final ChildProcess child;

  private ClientJvm(String name, TempFolder folder, ChildProcess child) {
    this.name = name;
    this.folder = folder;
    this.child = child;
  }

  /** Starts a JVM with a heap of 96 MB; returns at once, while it is starting. */
  public static ClientJvm start(String name, Class<?> main, String... arguments) {
    return start(JvmSpec.of(name, main, arguments));
  }

  /** Starts a JVM; returns at once, while it is starting. */
  public static ClientJvm start(JvmSpec spec) {
    TempFolder folder = TempFolder.create(spec.name());
    try {
      LaunchSpec launch =
          new LaunchSpec(
              spec.name(),
              spec.command(folder.path().toString()),
              folder.path(),
              folder.path().resolve("output.log"),
              spec.environment(),
              Optional.empty());
      return new ClientJvm(spec.name(), folder, ChildProcess.start(launch));
    } catch (RuntimeException e) {
      folder.close();
      throw e;
    }
  }

  /** The name that it was started with. */
  public String name() {
    return name;
  }

  /** Its process id. */
  public long pid() {
    return child.pid();
  }

  /** Whether the process exists; a paused one does. */
  public boolean isRunning() {
    return child.isAlive();
  }

  /** The whole lines that it has written to its standard output and error; not after close. */
  public List<String> lines() {
    String output = child.output();
    return output.substring(0, output.lastIndexOf('\n') + 1).lines().toList();
  }

  /**
   * Waits for a line that contains this text and returns the first one.
   *
   * @throws AssertionError with its output when none came within the bound or before its end
   */
  public String awaitLine(String text, Duration bound) {
    boolean found = Await.within(bound, () -> line(text).isPresent() || !child.isAlive());
    return line(text)
        .orElseThrow(
            () ->
                new AssertionError(
                    "%s: no line with \"%s\" %s; %s"
                        .formatted(
                            child,
                            text,
                            found ? "before its end" : "within " + bound.toMillis() + " ms",
                            child.quote())));
  }

  /** Writes one line to its standard input. */
  public void say(String line) {
    child.say(line);
  }

  /**
   * Ends it by SIGKILL, paused or not; returns when it is gone.
   *
   * @return the {@code nanoTime} just before the signal, for {@link HistoryWriter#killed}
   */
  public long kill9() {
    long before = System.nanoTime();
    child.kill9();
    return before;
  }

  /**
   * Stops it by SIGSTOP; returns when none of its threads runs any more.
   *
   * @return the {@code nanoTime} just before the signal, for {@link HistoryWriter#stalled}
   */
  public long pause() {
    long before = System.nanoTime();
    child.pause();
    return before;
  }

  /** Lets it go on after {@link #pause}. */
  public void resume() {
    child.resume();
  }

  /**
   * Waits for its end and returns its exit code.
   *
   * @throws AssertionError with its output when it did not end within the bound
   */
  public int awaitExit(Duration bound) {
    if (!child.awaitExit(bound)) {
      throw new AssertionError(
          "%s did not end within %d ms; %s".formatted(child, bound.toMillis(), child.quote()));
    }
    return child.exitCode();
  }

  /** Kills it if it still runs and deletes its folder; idempotent. */
  @Override
  public void close() {
    child.kill9();
    folder.close();
  }

  private Optional<String> line(String text) {
    return lines().stream().filter(line -> line.contains(text)).findFirst();
  }

  @Override
  public String toString() {
    return child.toString();
  }
}
