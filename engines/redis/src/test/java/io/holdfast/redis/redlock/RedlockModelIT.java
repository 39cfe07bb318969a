package io.holdfast.redis.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Looks through all states of the model of the protocol, and finds the faults planted in it. */
@Timeout(180)
class RedlockModelIT {

  private static final Path MODEL = Path.of("src", "test", "spin", "redlock_ballot.pml");
  private static final List<String> ORDER =
      List.of("-DORDER", "-DS=1", "-DMAXC=2", "-DATTEMPTS=1", "-DLOSSES=1");
  private static final List<String> EXCLUSION = List.of("-DEXCLUSION", "-DMAXP=3", "-DATTEMPTS=2");
  private static final Pattern ERRORS = Pattern.compile("errors: (\\d+)");
  private static final Pattern STATES = Pattern.compile("(\\d+) states, stored");

  @TempDir Path folder;

  @BeforeEach
  void tools() {
    assumeTrue(isOnPath("spin"), "needs the model checker: apt-get install spin");
    assumeTrue(isOnPath("gcc"), "needs a compiler: apt-get install gcc");
  }

  @Test
  @DisplayName("U06 U37 model: tokens rise, whatever expires, gets lost or is forgotten")
  void tokensRise() throws Exception {
    assertThat(errors("tokens rise", ORDER)).isZero();
  }

  @Test
  @DisplayName("U06 U37 model: a master that starts at zero after a loss is found out")
  void resetIsFound() throws Exception {
    assertThat(errors("planted: reset to zero", ORDER, "-DBUG_RESET")).isPositive();
  }

  @Test
  @DisplayName("U37 model: no two are in together, however late requests and releases come")
  void exclusion() throws Exception {
    assertThat(errors("never two in together", EXCLUSION)).isZero();
  }

  @Test
  @DisplayName("U37 model: a ballot that is used again after it was taken back is found out")
  void reuseIsFound() throws Exception {
    assertThat(errors("planted: ballot used again", EXCLUSION, "-DBUG_REUSE")).isPositive();
  }

  @Test
  @DisplayName("U37 model: taking back without looking at the ballot is found out")
  void blindUndoIsFound() throws Exception {
    assertThat(errors("planted: blind taking back", EXCLUSION, "-DBUG_UNDO")).isPositive();
  }

  private int errors(String what, List<String> settings, String... more) throws Exception {
    Files.copy(MODEL, folder.resolve("model.pml"));
    List<String> spin = new ArrayList<>(List.of("spin", "-a"));
    spin.addAll(settings);
    spin.addAll(Arrays.asList(more));
    spin.add("model.pml");
    run(spin);
    run(List.of("gcc", "-O2", "-DSAFETY", "-DCOLLAPSE", "-DMEMLIM=1000", "-o", "pan", "pan.c"));
    long start = System.nanoTime();
    String said = run(List.of("./pan", "-m200000"));
    assertThat(said).doesNotContain("max search depth too small", "out of memory");
    int errors = number(ERRORS, said);
    Figures.print(
        "model, %s: %,d states, %d errors, %.1f s",
        what, number(STATES, said), errors, Figures.millis(System.nanoTime() - start) / 1000);
    return errors;
  }

  private String run(List<String> command) throws IOException, InterruptedException {
    File output = folder.resolve("output").toFile();
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output)
            .start();
    boolean ended = process.waitFor(60, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly().waitFor();
    }
    String said = Files.readString(output.toPath(), StandardCharsets.UTF_8);
    assertThat(ended).as("%s ended: %s", command, said).isTrue();
    assertThat(process.exitValue()).as("%s: %s", command, said).isZero();
    return said;
  }

  private static int number(Pattern pattern, String said) {
    Matcher matcher = pattern.matcher(said);
    assertThat(matcher.find()).as("%s in %s", pattern, said).isTrue();
    return Integer.parseInt(matcher.group(1));
  }

  private static boolean isOnPath(String program) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }
}
