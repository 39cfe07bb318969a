package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** How long it takes until the command runs, as the launcher of the checkout starts it. */
@Timeout(120)
@DisplayName("From the one jar:")
@EnabledIfSystemProperty(
    named = "holdfast.jar",
    matches = ".+",
    disabledReason = "comes after the jar has been made")
class StartJarIT {

  private static final int RUNS = 9;

  @TempDir Path folder;

  @Test
  @DisplayName("the command runs 0.7 s after the start, with an archive of classes")
  void start() throws Exception {
    Path archive = folder.resolve("holdfast.jsa");
    String script = "date +%s%N >" + folder.resolve("began");
    launch("-XX:ArchiveClassesAtExit=" + archive, script);
    assertThat(archive).exists();
    long[] ours = new long[RUNS];
    long[] javas = new long[RUNS];
    for (int i = 0; i < RUNS; i++) {
      javas[i] = launch(List.of(java(), "-version"));
      Instant before = Instant.now();
      launch("-XX:SharedArchiveFile=" + archive, script);
      ours[i] = Long.parseLong(CliProcess.awaitLine(folder.resolve("began"))) - nanos(before);
    }
    Arrays.sort(ours);
    Arrays.sort(javas);
    Figure.print(
        "java -version %.0f ms (fastest %.0f), start to running command %.0f ms (fastest %.0f)",
        Figure.percentile(javas, 50), javas[0] / 1e6, Figure.percentile(ours, 50), ours[0] / 1e6);
    Figure.within(Duration.ofMillis(700), ours[RUNS / 2], "start to running command");
  }

  private static long nanos(Instant instant) {
    return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
  }

  private static String java() {
    return System.getProperty("java.home") + "/bin/java";
  }

  private void launch(String archive, String script) throws Exception {
    List<String> line = new ArrayList<>(List.of(java(), archive, "-Xshare:auto", "-Xlog:disable"));
    line.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData"));
    line.addAll(List.of("-jar", System.getProperty("holdfast.jar"), "run", "a", "--"));
    line.addAll(List.of("sh", "-c", script));
    launch(line);
  }

  /** Returns how long it took. */
  private long launch(List<String> line) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile());
    builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
    builder.environment().put("XDG_CONFIG_HOME", folder.resolve("config").toString());
    builder.environment().remove("HOLDFAST_STORE");
    long start = System.nanoTime();
    Process process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(CliProcess.read(folder.resolve("output"))).isZero();
    return System.nanoTime() - start;
  }
}
