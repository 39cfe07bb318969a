package io.holdfast.cli;

import io.holdfast.rig.process.Program;
import io.holdfast.rig.time.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Real terminals, typed at and read by tmux. */
public final class Terminals implements AutoCloseable {

  private static final String TMUX = Program.of("tmux", "tmux").find().toString();

  private final Path folder;

  /** None is open yet; what tmux needs is in that folder. */
  public Terminals(Path folder) {
    this.folder = folder;
  }

  /** Opens one of that name with a shell in it. */
  public void open(String name, String shell) throws Exception {
    tmux("new-session", "-d", "-s", name, "-x", "150", "-y", "40", shell);
  }

  /** Types a line at it. */
  public void type(String name, String line) throws Exception {
    tmux("send-keys", "-t", name, "-l", line);
    press(name, "Enter");
  }

  /** Types characters at it, and no more. */
  public void typeOnly(String name, String text) throws Exception {
    tmux("send-keys", "-t", name, "-l", text);
  }

  /** Presses a key such as {@code C-c}, {@code Tab} or {@code Enter}. */
  public void press(String name, String key) throws Exception {
    tmux("send-keys", "-t", name, key);
  }

  /** What it shows. */
  public String text(String name) throws Exception {
    return tmux("capture-pane", "-p", "-J", "-t", name);
  }

  /** What it shows, with the escape sequences of its colours. */
  public String coloured(String name) throws Exception {
    return tmux("capture-pane", "-p", "-e", "-J", "-t", name);
  }

  /** Waits until it shows that text; fails with what it shows instead. */
  public void awaitText(String name, String text) throws Exception {
    try {
      Await.until(text + " at terminal " + name, CliProcess.LONG, () -> text(name).contains(text));
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "; it shows: " + text(name), e);
    }
  }

  private String tmux(String... arguments) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(TMUX, "-S", folder.resolve("tmux").toString()));
    line.addAll(List.of("-f", "/dev/null"));
    line.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    builder.environment().put("TERM", "screen");
    Process tmux = builder.start();
    String text = new String(tmux.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!tmux.waitFor(10, TimeUnit.SECONDS) || tmux.exitValue() != 0) {
      throw new IOException("tmux " + String.join(" ", arguments) + ": " + text);
    }
    return text;
  }

  /** Ends all of them with what runs in them. */
  @Override
  public void close() throws Exception {
    tmux("kill-server");
  }
}
