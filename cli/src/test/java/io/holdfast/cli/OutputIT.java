package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.time.Await;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("Output that cannot be written")
class OutputIT {

  @TempDir Path folder;

  private record Ended(int code, String err) {}

  @ParameterizedTest
  @ValueSource(strings = {"id", "show job --json", "guarantees", "doctor", "--help"})
  @DisplayName("is a failure with a code of its own where the disk is full")
  void full(String line) throws Exception {
    Ended ended = run(line, ">/dev/full");
    assertThat(ended.code()).as(ended.err()).isEqualTo(ExitCode.OUTPUT);
    assertThat(ended.err()).contains("standard output", "No space left");
  }

  @ParameterizedTest
  @ValueSource(strings = {"id -n 100000", "guarantees"})
  @DisplayName("is no failure where the reader has ended")
  void closedPipe(String line) throws Exception {
    Ended ended = run(line, "| true; exit ${PIPESTATUS[0]}");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"run job -- true", "run job -- sh -c 'exit 7'"})
  @DisplayName("of the command does not concern the program")
  void ofTheCommand(String line) throws Exception {
    Ended ended = run(line, ">/dev/full");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isEqualTo(line.contains("7") ? 7 : 0);
  }

  /** A shell sets up where the output goes to. */
  private Ended run(String line, String rest) throws Exception {
    String program = String.join(" ", CliProcess.java());
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", program + " " + line + " " + rest)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(folder.resolve("err").toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
    builder.environment().put("XDG_STATE_HOME", folder.toString());
    builder.environment().put("XDG_CONFIG_HOME", folder.toString());
    Process shell = builder.start();
    Await.until("the end of " + line, CliProcess.LONG, () -> !shell.isAlive());
    return new Ended(shell.exitValue(), CliProcess.read(folder.resolve("err")));
  }
}
