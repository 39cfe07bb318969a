package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@DisplayName("The program:")
class MainTest {

  @TempDir Path folder;

  @Test
  @DisplayName("an error of Java is a fault of the program, and not a lock that others have")
  void error() throws Exception {
    // Without the module of ids, as when the jar is exchanged under a running program.
    String path =
        Stream.of(System.getProperty("java.class.path").split(":", -1))
            .filter(each -> !each.matches(".*(/ids/target/|holdfast-ids).*"))
            .collect(Collectors.joining(":"));
    Path told = folder.resolve("told");
    Process program =
        new ProcessBuilder(
                List.of(
                    System.getProperty("java.home") + "/bin/java",
                    "-cp",
                    path,
                    "io.holdfast.cli.Main",
                    "id"))
            .redirectErrorStream(true)
            .redirectOutput(told.toFile())
            .start();
    assertThat(program.waitFor()).as(CliProcess.read(told)).isEqualTo(ExitCode.INTERNAL);
    assertThat(CliProcess.read(told))
        .contains("holdfast: ", "fault of the program", "NoClassDefFoundError");
  }
}
