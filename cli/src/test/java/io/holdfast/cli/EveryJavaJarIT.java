package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Newer JDKs warn of native libraries and of memory through Unsafe, which clients use. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("From the one jar, on every Java of this machine:")
@EnabledIfSystemProperty(
    named = "holdfast.jar",
    matches = ".+",
    disabledReason = "comes after the jar has been made")
class EveryJavaJarIT {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = "REDLOCK", mode = EnumSource.Mode.EXCLUDE)
  @DisplayName("nothing is written but what the command writes")
  void quiet(EngineWithServer engine) {
    List<Path> all = InstalledJdks.installed();
    try (EngineWithServer.Store store = engine.start(folder)) {
      for (Path java : all) {
        CliProcess run =
            CliProcess.Setup.in(folder)
                .at(store.uri())
                .on(java)
                .run("run", "a", "--", "echo", "in");
        assertThat(run.awaitExit()).as(java + ": " + run.err()).isZero();
        assertThat(run.out()).as("of " + java).isEqualTo("in\n");
        assertThat(run.err()).as("of " + java).isEmpty();
      }
    }
    Figure.print("%s: quiet on %s", engine, all);
  }
}
