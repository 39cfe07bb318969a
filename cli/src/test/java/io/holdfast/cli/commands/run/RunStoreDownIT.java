package io.holdfast.cli.commands.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliProcess;
import io.holdfast.cli.ExitCode;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** U34. "Busy" and "store down" do not look the same, and neither keeps anybody for long. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("A wait for a lock at an unreachable store")
class RunStoreDownIT {

  private static final String AWAY = "redis://127.0.0.1:1";
  private static final Pattern WAITED = Pattern.compile("waited (\\d+) ms");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"run job -- true", "once job --every 1h -- true", "elect job -- true"})
  @DisplayName("is notified once, without a terminal too, and is quick to leave")
  void told(String line) throws Exception {
    try (CliProcess cli = CliProcess.Setup.in(folder).at(AWAY).start(line.split(" ", -1))) {
      cli.awaitWhileRunning("a word", () -> cli.err().contains("\n"));
      long start = System.nanoTime();
      cli.signal("TERM");
      assertThat(cli.awaitExit()).as(cli.err()).isEqualTo(143);
      Figure.since(start, Duration.ofMillis(500), line + ": the end after TERM, store away");
      assertThat(cli.err())
          .contains(
              "waiting for job", AWAY + " does not reply", "refused", "check that the store is up")
          .hasLineCount(1);
    }
  }

  @Test
  @DisplayName("is granted the lock when the store is back")
  void back() throws Exception {
    try (RedisServer server = RedisServer.start();
        FaultProxy proxy = FaultProxy.to(server.process())) {
      proxy.cut();
      CliProcess.Setup setup = CliProcess.Setup.in(folder).at("redis://127.0.0.1:" + proxy.port());
      try (CliProcess cli = setup.start("run", "job", "--", "sh", "-c", "exit 3")) {
        cli.awaitWhileRunning("a word", () -> cli.err().contains("does not reply"));
        proxy.heal();
        assertThat(cli.awaitExit()).as(cli.err()).isEqualTo(3);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--wait=1s", "--wait=1500ms"})
  @DisplayName("waits for as long as it said")
  void waitsItsTime(String option) {
    long start = System.nanoTime();
    CliProcess cli = CliProcess.Setup.in(folder).at(AWAY).run("run", "job", option, "--", "true");
    long took = System.nanoTime() - start;
    assertThat(cli.awaitExit()).as(cli.err()).isEqualTo(ExitCode.STORE);
    Matcher waited = WAITED.matcher(cli.err());
    assertThat(waited.find()).as(cli.err()).isTrue();
    long millis = Long.parseLong(waited.group(1));
    Figure.print("run %s, store away: waited %,d ms of %,d ms", option, millis, took / 1_000_000);
    assertThat(millis).isBetween(option.endsWith("=1s") ? 1000L : 1500L, 1900L);
  }

  @Test
  @DisplayName("does not wait with --no-wait longer than one request may take")
  void noWait() {
    long start = System.nanoTime();
    CliProcess cli =
        CliProcess.Setup.in(folder).at(AWAY).run("run", "job", "--no-wait", "--", "true");
    Figure.since(start, Duration.ofSeconds(3), "run --no-wait, store away");
    assertThat(cli.awaitExit()).as(cli.err()).isEqualTo(ExitCode.STORE);
  }

  @Test
  @DisplayName("reports a loss at once, before the store is closed")
  void loss() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      CliProcess.Setup setup = CliProcess.Setup.in(folder).at(server.uri());
      String script = "cd '" + folder + "'; echo >up; sleep 600; :";
      try (CliProcess cli = setup.start("run", "job", "--lease", "5s", "--", "sh", "-c", script)) {
        cli.awaitLineIn(folder.resolve("up"));
        server.process().kill9();
        cli.awaitWhileRunning("the loss", () -> cli.err().contains("job was lost"));
        long start = System.nanoTime();
        assertThat(cli.awaitExit()).as(cli.err()).isEqualTo(ExitCode.LOST);
        Figure.since(start, Duration.ofSeconds(2), "the end after the word of a loss");
      }
    }
  }
}
