package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lock that is not where the user thinks it is lets two in. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("A store that is named in vain is refused:")
class NamedStoreIT {

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"--store=", "--store= "})
  @DisplayName("--store that is empty")
  void emptyOption(String option) {
    checkEmpty(CliProcess.Setup.in(folder).run("run", "job", option, "--", "true"), "--store");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  "})
  @DisplayName("HOLDFAST_STORE that is empty, unless --store says more")
  void emptyVariable(String value) {
    CliProcess.Setup setup = CliProcess.Setup.in(folder).with("HOLDFAST_STORE", value);
    checkEmpty(setup.run("ls"), "HOLDFAST_STORE");
    String uri = "jdbc:sqlite:" + folder.resolve("locks.db");
    CliProcess other = setup.run("run", "job", "--store", uri, "--", "true");
    assertThat(other.awaitExit()).as(other.err()).isZero();
  }

  @Test
  @DisplayName("an empty line in the config file")
  void emptyLine() throws Exception {
    Path config = Files.createDirectories(folder.resolve("config/holdfast")).resolve("config");
    Files.writeString(config, "store =\n");
    checkEmpty(CliProcess.Setup.in(folder).run("ls"), "config file");
  }

  private void checkEmpty(CliProcess cli, String where) {
    assertThat(cli.awaitExit()).as(cli.err()).isEqualTo(ExitCode.USAGE);
    assertThat(cli.err()).contains(where, "empty");
    assertThat(folder.resolve("state/holdfast/locks.db")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run job --store memory: -- true",
        "once job --every 1h --store memory:x -- true",
        "elect job --store jdbc:h2:mem:app -- true",
        "ls --store memory:",
        "show job --store memory:",
        "watch --for 1s --store memory:",
        "release job --token 1 --reason stuck --store memory:"
      })
  @DisplayName("a store within one process, for commands about other processes")
  void withinOneProcess(String line) {
    CliProcess cli = CliProcess.Setup.in(folder).run(line.split(" ", -1));
    assertThat(cli.awaitExit()).as(cli.err()).isEqualTo(ExitCode.USAGE);
    assertThat(cli.err()).contains("within one process", "redis://host");
  }

  @Test
  @DisplayName("but ids, guarantees and measurements need no others")
  void needsNoOthers() {
    CliProcess.Setup setup = CliProcess.Setup.in(folder).at("memory:");
    assertThat(setup.run("id", "--generator", "counter:a").awaitExit()).isZero();
    assertThat(setup.run("guarantees").awaitExit()).isZero();
  }
}
