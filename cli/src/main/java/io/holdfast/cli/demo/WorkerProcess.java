package io.holdfast.cli.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A {@link DemoWorker} process: sends it commands, reads its replies, stops and kills it. */
final class WorkerProcess implements TimelineColumn, AutoCloseable {

  /** The message when a worker ended by itself. */
  static final String GONE = "gone";

  /** The message when Ctrl-C ended a worker: a terminal sends it to all processes. */
  static final String INTERRUPTED = "interrupted";

  private static final int CODE_OF_INT = 130;

  private final String name;
  private final int column;
  private final Process process;
  private volatile boolean meantToEnd;

  private WorkerProcess(String name, int column, Process process) {
    this.name = name;
    this.column = column;
    this.process = process;
  }

  /** Starts one; returns at once. */
  static WorkerProcess start(
      String name, int column, DemoStore place, Consumer<WorkerProcesses.Said> receiver)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx96m"));
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), DemoWorker.class.getName()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    WorkerProcess worker = new WorkerProcess(name, column, process);
    Thread thread = new Thread(() -> worker.listen(receiver), "demo-reader-" + name);
    thread.setDaemon(true);
    thread.start();
    worker.tell(name + "\n" + place.uri().orElseThrow() + "\n" + place.lock());
    return worker;
  }

  private void listen(Consumer<WorkerProcesses.Said> receiver) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] parts = line.split(" ", 2);
        receiver.accept(new WorkerProcesses.Said(this, parts[0], parts.length > 1 ? parts[1] : ""));
      }
    } catch (IOException e) {
      // It is gone, and says no more.
    }
    if (!meantToEnd) {
      boolean interrupted = process.onExit().join().exitValue() == CODE_OF_INT;
      receiver.accept(new WorkerProcesses.Said(this, interrupted ? INTERRUPTED : GONE, ""));
    }
  }

  /** Sends it a command. */
  void tell(String order) {
    try {
      process.outputWriter(StandardCharsets.UTF_8).append(order).append('\n').flush();
    } catch (IOException e) {
      // It is gone, and listen() reports that.
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int column() {
    return column;
  }

  /** Ends it by SIGKILL. */
  void kill9() {
    meantToEnd = true;
    process.destroyForcibly();
  }

  /** Stops it by SIGSTOP. */
  void stop() throws IOException, InterruptedException {
    signal("-STOP");
  }

  /** Lets it go on by SIGCONT. */
  void goOn() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String signal) throws IOException, InterruptedException {
    String pid = String.valueOf(process.pid());
    int code = new ProcessBuilder("kill", signal, pid).inheritIO().start().waitFor();
    if (code != 0) {
      throw new IOException("kill " + signal + " " + pid + " returned " + code);
    }
  }

  @Override
  public void close() {
    kill9();
  }
}
