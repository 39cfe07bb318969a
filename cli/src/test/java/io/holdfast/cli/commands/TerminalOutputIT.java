package io.holdfast.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliProcess;
import io.holdfast.cli.Terminals;
import io.holdfast.rig.time.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What somebody who looks at a terminal sees, and a file or a pipe does not get. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("At a terminal:")
class TerminalOutputIT {

  private static final String ESCAPE = "\u001b";
  private static final String BENCH = "sh hf bench --threads 2 --time 400ms --rounds 1";

  private final Path folder;
  private final Terminals terminals;
  private int started;

  TerminalOutputIT(@TempDir Path folder) {
    this.folder = folder;
    this.terminals = new Terminals(folder);
  }

  @BeforeEach
  void open() throws Exception {
    // In a file, as a terminal takes no more than 4096 characters in a line.
    Files.writeString(
        folder.resolve("hf"), "exec " + String.join(" ", CliProcess.java()) + " \"$@\"\n");
    terminals.open("one", "sh");
    type("PS1='$ '; unset HOLDFAST_STORE NO_COLOR; export XDG_STATE_HOME=" + folder);
    type("cd " + folder + "; clear");
  }

  @AfterEach
  void close() throws Exception {
    terminals.close();
  }

  @Test
  @DisplayName("results and errors are coloured, but not with NO_COLOR, a dumb TERM, or in a file")
  void colours() throws Exception {
    run("sh hf guarantees --help; sh hf show", 64);
    assertThat(terminals.coloured("one"))
        .containsPattern(ESCAPE + "\\[[0-9;]*m *holdfast guarantees")
        .containsPattern(ESCAPE + "\\[[0-9;]*31[0-9;]*mholdfast:");

    for (String plain : List.of("NO_COLOR=1", "TERM=dumb")) {
      run(plain + " sh hf guarantees --help; " + plain + " sh hf show", 64);
      assertThat(terminals.coloured("one"))
          .contains("holdfast guarantees", "holdfast:")
          .doesNotContain(ESCAPE);
    }

    // Each of the two decides for itself.
    run("sh hf guarantees --help >out; sh hf show 2>err", 64);
    assertThat(CliProcess.read(folder.resolve("out"))).contains("holdfast guarantees");
    assertThat(CliProcess.read(folder.resolve("out"))).doesNotContain(ESCAPE);
    assertThat(CliProcess.read(folder.resolve("err"))).contains("holdfast:").doesNotContain(ESCAPE);
  }

  @Test
  @DisplayName("a bar says how far the bench is, and is gone at its end; a file does not get it")
  void progress() throws Exception {
    String end = start(BENCH);
    Await.until(
        "the bar",
        CliProcess.LONG,
        () -> terminals.text("one").lines().anyMatch(line -> line.matches("\\[#+-+] \\d+/12 .*")));
    terminals.awaitText("one", end + 0);
    assertThat(terminals.text("one")).contains("uncontended, 1 thread").doesNotContain("[#", "/12");

    run(BENCH + " 2>err", 0);
    assertThat(CliProcess.read(folder.resolve("err"))).isEmpty();
  }

  @Test
  @DisplayName("watch redraws the list; into a pipe it prints changes")
  void watch() throws Exception {
    String end = start("sh hf watch --every 200ms");
    terminals.awaitText("one", "nobody holds or waits for anything");
    String script = "until [ -e " + folder.resolve("end") + " ]; do sleep 0.1; done";
    CliProcess.Setup setup = CliProcess.Setup.in(folder).with("XDG_STATE_HOME", folder.toString());
    try (CliProcess run = setup.start("run", "nightly", "--", "sh", "-c", script)) {
      terminals.awaitText("one", "nightly");
      String first = terminals.text("one");
      // Ages go on, in the same lines.
      Await.until("another look", CliProcess.LONG, () -> !terminals.text("one").equals(first));
      assertThat(terminals.text("one").split("nightly", -1)).hasSize(2);
      assertThat(terminals.text("one").split("NAME ", -1)).hasSize(2);
      assertThat(terminals.text("one")).doesNotContain("nobody holds");
      Files.createFile(folder.resolve("end"));
      assertThat(run.awaitExit()).as(run.err()).isZero();
    }
    terminals.awaitText("one", "nobody holds or waits for anything");
    terminals.press("one", "C-c");
    terminals.awaitText("one", end + 130);

    run("sh hf run nightly -- sh -c 'sh hf watch --for 1s --every 500ms | cat >changes'", 0);
    assertThat(CliProcess.read(folder.resolve("changes")))
        .containsPattern("^20\\S+Z \\+ .*nightly")
        .doesNotContain(ESCAPE);
  }

  private void type(String line) throws Exception {
    terminals.type("one", line);
  }

  private void run(String line, int code) throws Exception {
    terminals.awaitText("one", start(line) + code);
  }

  /** On a clear screen; returns the last text before the exit code. */
  private String start(String line) throws Exception {
    started++;
    type("clear; " + line + "; echo end " + started + ": $?");
    return "end " + started + ": ";
  }
}
