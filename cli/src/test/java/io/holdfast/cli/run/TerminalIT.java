package io.holdfast.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.Cli;
import io.holdfast.rig.Await;
import io.holdfast.rig.Figure;
import io.holdfast.rig.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two people at two terminals, on the store that needs no set-up. */
@Timeout(180)
@DisplayName("holdfast run, at terminals:")
class TerminalIT {

  private static final String TMUX = Program.of("tmux", "tmux").find().toString();

  @TempDir Path folder;

  @BeforeEach
  void open() throws Exception {
    tmux("new-session", "-d", "-s", "one", "-x", "150", "-y", "40", "sh");
    tmux("new-session", "-d", "-s", "two", "-x", "150", "-y", "40", "sh");
    // In a file, as a terminal takes no more than 4096 characters in a line.
    Path script = folder.resolve("hf");
    Files.writeString(script, "exec " + String.join(" ", Cli.java()) + " \"$@\"\n");
    for (String terminal : List.of("one", "two")) {
      type(terminal, "PS1='$ '; unset HOLDFAST_STORE; export XDG_STATE_HOME=" + folder);
      type(terminal, "cd " + folder);
    }
  }

  @AfterEach
  void close() throws Exception {
    tmux("kill-server");
  }

  @Test
  @DisplayName(
      "the second waits and says for whom; Ctrl-C ends that; kill -9 of the first lets it in")
  void twoTerminals() throws Exception {
    type(
        "one",
        "sh hf run job --lease 10s -- sh -c 'echo $PPID >pid; echo $HOLDFAST_TOKEN >t1; cat'");
    long first = Long.parseLong(awaitFile("one", "t1"));
    type("two", "sh hf run job --lease 10s -- sh -c 'echo $HOLDFAST_TOKEN >t2'; echo code $?");
    awaitText("two", "waiting for job, held by");
    tmux("send-keys", "-t", "two", "C-c");
    awaitText("two", "code 130");

    type("one", "typed by a person");
    awaitText("one", "typed by a person\ntyped by a person");

    type(
        "two",
        "clear; sh hf run job --lease 10s -- sh -c 'echo $HOLDFAST_TOKEN >t2'; echo code $?");
    awaitText("two", "waiting for job, held by");
    long start = System.nanoTime();
    Cli.signal("KILL", Long.parseLong(Cli.awaitLine(folder.resolve("pid"))));
    long second = Long.parseLong(Cli.awaitLine(folder.resolve("t2")));
    Figure.since(start, Duration.ofSeconds(11), "two terminals: the second runs after kill -9");
    assertThat(second).isGreaterThan(first);
  }

  @Test
  @DisplayName("Ctrl-C goes to the command once, which decides what to make of it")
  void controlC() throws Exception {
    String script = "trap 'echo INT >>ints' INT; echo >up; while [ ! -e end ]; do sleep 0.1; done";
    type("one", "sh hf run job -- sh -c \"" + script + "\"; echo code $?");
    String ignored = awaitFile("one", "up");
    for (int i = 1; i <= 2; i++) {
      tmux("send-keys", "-t", "one", "C-c");
      String expected = "INT\n".repeat(i);
      Await.until("Ctrl-C", Cli.LONG, () -> Cli.read(folder.resolve("ints")).equals(expected));
    }
    type("two", "touch end");
    awaitText("one", "code 0");
    assertThat(Cli.read(folder.resolve("ints"))).isEqualTo("INT\nINT\n");
  }

  private void type(String terminal, String text) throws Exception {
    tmux("send-keys", "-t", terminal, "-l", text);
    tmux("send-keys", "-t", terminal, "Enter");
  }

  /** Fails with what the terminal shows. */
  private String awaitFile(String terminal, String name) throws Exception {
    try {
      return Cli.awaitLine(folder.resolve(name));
    } catch (AssertionError e) {
      throw new AssertionError(tmux("capture-pane", "-p", "-J", "-t", terminal), e);
    }
  }

  private void awaitText(String terminal, String text) {
    Await.until(
        text + " at terminal " + terminal,
        Cli.LONG,
        () -> tmux("capture-pane", "-p", "-J", "-t", terminal).contains(text));
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
}
