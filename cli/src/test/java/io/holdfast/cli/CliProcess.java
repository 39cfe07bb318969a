package io.holdfast.cli;

import io.holdfast.rig.time.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The program as a process of its own, from the jar if there is one to test, else from the class
 * path of the tests. Its user has a home of its own in the folder of the test.
 */
public final class CliProcess implements AutoCloseable {

  /** Far beyond what anything here takes. */
  public static final Duration LONG = Duration.ofSeconds(60);

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final Process process;
  private final Path out;
  private final Path err;

  private CliProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /** How to start it. */
  public record Setup(Path folder, Map<String, String> environment, Path java) {

    /** With the default store, below this folder. */
    public static Setup in(Path folder) {
      return new Setup(folder, Map.of(), Path.of(System.getProperty("java.home")));
    }

    /** With that store. */
    public Setup at(String uri) {
      return with("HOLDFAST_STORE", uri);
    }

    /** With a variable more. */
    public Setup with(String name, String value) {
      Map<String, String> more = new HashMap<>(environment);
      more.put(name, value);
      return new Setup(folder, Map.copyOf(more), java);
    }

    /** On another Java, by its home. */
    public Setup on(Path home) {
      return new Setup(folder, environment, home);
    }

    /** Starts it; returns at once. */
    public CliProcess start(String... arguments) {
      List<String> line = CliProcess.java();
      line.set(0, java.resolve("bin/java").toString());
      line.addAll(List.of(arguments));
      return CliProcess.start(this, line);
    }

    /** Starts another program of the tests, with the same home; returns at once. */
    public CliProcess startMain(Class<?> main) {
      List<String> line = jvm();
      line.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
      return CliProcess.start(this, line);
    }

    /** Runs it to its end and returns it. */
    public CliProcess run(String... arguments) {
      CliProcess cli = start(arguments);
      int ignored = cli.awaitExit();
      return cli;
    }
  }

  private static CliProcess start(Setup setup, List<String> program) {
    int number = NUMBERS.incrementAndGet();
    Path out = setup.folder.resolve("out-" + number);
    Path err = setup.folder.resolve("err-" + number);
    // The parent of the tests may have ignored these signals, which would be inherited.
    List<String> line = new ArrayList<>(List.of("env", "--default-signal=INT,HUP,QUIT"));
    line.addAll(program);
    ProcessBuilder builder =
        new ProcessBuilder(line).redirectOutput(out.toFile()).redirectError(err.toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
    environment.put("HOME", setup.folder.toString());
    environment.put("XDG_STATE_HOME", setup.folder.resolve("state").toString());
    environment.put("XDG_CONFIG_HOME", setup.folder.resolve("config").toString());
    environment.putAll(setup.environment);
    try {
      return new CliProcess(builder.start(), out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The command line without the program's arguments. */
  public static List<String> java() {
    List<String> line = jvm();
    String jar = System.getProperty("holdfast.jar");
    if (jar == null) {
      line.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.holdfast.cli.Main"));
    } else {
      line.addAll(List.of("-jar", jar));
    }
    return line;
  }

  private static List<String> jvm() {
    String java = System.getProperty("java.home") + "/bin/java";
    List<String> line = new ArrayList<>(List.of(java, "-Xshare:auto", "-XX:+UseSerialGC"));
    line.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xmx96m"));
    return line;
  }

  /** Writes a line to its input. */
  public void type(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its process id. */
  public long pid() {
    return process.pid();
  }

  /** Whether it runs. */
  public boolean isRunning() {
    return process.isAlive();
  }

  /** Sends a signal such as {@code INT} to this one process. */
  public void signal(String name) {
    signal(name, pid());
  }

  /** Sends a signal to one process. */
  public static void signal(String name, long pid) {
    try {
      Process kill = new ProcessBuilder("sh", "-c", "kill -s " + name + " " + pid).start();
      if (!kill.waitFor(10, TimeUnit.SECONDS)) {
        throw new AssertionError("kill does not end");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Kills this one process, and nothing that it has started. */
  public void kill9() {
    process.destroyForcibly();
  }

  /** Waits for its end and returns its exit code. */
  public int awaitExit() {
    try {
      if (!process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("did not end: " + err());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** What it has written to standard output. */
  public String out() {
    return read(out);
  }

  /** What it has written to standard error. */
  public String err() {
    return read(err);
  }

  /** The text of a file, or nothing if it is not there. */
  public static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for a file with a whole line in it and returns the line. */
  public static String awaitLine(Path file) {
    Await.until("a line in " + file.getFileName(), LONG, () -> read(file).contains("\n"));
    return read(file).strip();
  }

  /** As {@link #awaitLine(Path)}, for a line that what it runs writes; fails at once if it ends. */
  public String awaitLineIn(Path file) {
    Await.until(
        "a line in " + file.getFileName() + " of " + this,
        LONG,
        () -> read(file).contains("\n") || !isRunning());
    if (!read(file).contains("\n")) {
      throw new AssertionError(
          "ended with " + awaitExit() + " and no line in " + file + ": " + err());
    }
    return read(file).strip();
  }

  /** Waits until something is so while it runs; fails at once if it ends. */
  public void awaitWhileRunning(String what, Await.Condition condition) throws Exception {
    Await.until(what + " of " + this, LONG, () -> !isRunning() || condition.holds());
    if (!condition.holds()) {
      throw new AssertionError("ended with " + awaitExit() + " before " + what + ": " + err());
    }
  }

  @Override
  public String toString() {
    return "process " + pid() + " (" + err() + ")";
  }

  /** Ends it and what it has started. */
  @Override
  public void close() {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    process.destroyForcibly();
    all.forEach(ProcessHandle::destroyForcibly);
    Await.until("the end of " + pid(), LONG, () -> !process.isAlive());
  }
}
