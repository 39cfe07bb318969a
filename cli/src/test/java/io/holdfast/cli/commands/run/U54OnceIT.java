package io.holdfast.cli.commands.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliProcess;
import io.holdfast.cli.EngineWithServer;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.StoreObserver;
import io.holdfast.rig.time.Await;
import io.holdfast.tck.TooLateError;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A short job is done for the whole period, for late machines, too. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("U54, holdfast once:")
class U54OnceIT {

  /** A mark of 8 s ends a tenth of its period early. */
  private static final Duration MARKED = Duration.ofSeconds(7);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "REDIS", "ETCD"})
  @DisplayName("a job that ends early stays done until its period is over, and is no held lock")
  void shortJob(EngineWithServer engine) throws Exception {
    try (EngineWithServer.Store store = engine.start(folder);
        StoreObserver onlooker = new StoreObserver(store)) {
      long start = System.nanoTime();
      assertThat(once(store.uri(), "8s", "echo 1 >>runs").awaitExit()).isZero();
      assertThat(onlooker.isMarked("job")).isTrue();
      assertThat(onlooker.holders("job")).isZero();
      CliProcess late = once(store.uri(), "8s", "echo 2 >>runs", "--done-exit-code", "9");
      int code = late.awaitExit();
      if (code == 0 && System.nanoTime() - start > MARKED.toNanos()) {
        throw new TooLateError("the second process came when the period was over");
      }
      assertThat(code).as(late.err()).isEqualTo(9);
      assertThat(late.err()).as("what cron would mail").isEmpty();
      Await.until("the end of the period", CliProcess.LONG, () -> !onlooker.isMarked("job"));
      // A store that counts in whole seconds may report it to a new process for a second more.
      Await.until("the next run", CliProcess.LONG, () -> runsAgain(store.uri()));
      assertThat(CliProcess.read(folder.resolve("runs"))).isEqualTo("1\n3\n");
    }
  }

  private boolean runsAgain(String uri) {
    assertThat(once(uri, "8s", "echo 3 >>runs").awaitExit()).isZero();
    return CliProcess.read(folder.resolve("runs")).endsWith("3\n");
  }

  @Test
  @DisplayName("a job that takes nearly the whole period is not run again by waiters")
  void longJob() {
    CliProcess.Setup setup = CliProcess.Setup.in(folder);
    String script = "echo >>" + folder.resolve("runs") + "; sleep 9.9";
    String[] line = {"once", "k", "--every", "10s", "--", "sh", "-c", script};
    try (CliProcess one = setup.start(line);
        CliProcess two = setup.start(line);
        CliProcess three = setup.start(line)) {
      assertThat(Stream.of(one, two, three).map(CliProcess::awaitExit))
          .as(one.err() + two.err() + three.err())
          .containsExactlyInAnyOrder(0, ExitCode.NOT_ACQUIRED, ExitCode.NOT_ACQUIRED);
    }
    assertThat(CliProcess.read(folder.resolve("runs"))).isEqualTo("\n");
  }

  @Test
  @DisplayName("a job that fails is not done: its code comes through, and the next may run it")
  void failure() {
    CliProcess.Setup setup = CliProcess.Setup.in(folder);
    assertThat(setup.run("once", "k", "--every", "1h", "--", "sh", "-c", "exit 5").awaitExit())
        .isEqualTo(5);
    assertThat(setup.run("once", "k", "--every", "1h", "--", "true").awaitExit()).isZero();
    CliProcess third = setup.run("once", "k", "--every", "1h", "--", "false");
    assertThat(third.awaitExit()).as(third.err()).isZero();
  }

  @Test
  @DisplayName("with --no-wait it ends at once while another run goes on")
  void noWait() {
    CliProcess.Setup setup = CliProcess.Setup.in(folder);
    String script = "echo >" + folder.resolve("up") + "; sleep 600; :";
    try (CliProcess runner = setup.start("once", "k", "--every", "1h", "--", "sh", "-c", script)) {
      CliProcess.awaitLine(folder.resolve("up"));
      CliProcess other = setup.run("once", "k", "--every", "1h", "--no-wait", "--", "true");
      assertThat(other.awaitExit()).isEqualTo(ExitCode.NOT_ACQUIRED);
      assertThat(other.err()).contains("pid " + runner.pid()).contains("runs it now");
    }
  }

  @Test
  @DisplayName("redlock cannot leave a mark, and says so")
  void redlock() {
    try (EngineWithServer.Store store = EngineWithServer.REDLOCK.start(folder)) {
      CliProcess refused = once(store.uri(), "8s", "true");
      assertThat(refused.awaitExit()).isEqualTo(ExitCode.REFUSED);
      assertThat(refused.err()).contains("redlock");
    }
  }

  private CliProcess once(String uri, String every, String script, String... more) {
    // The usual wait is shorter than the period, in which a busy machine may not reach its store.
    List<String> line = new ArrayList<>(List.of("once", "job", "--every", every, "--wait", "60s"));
    line.addAll(List.of(more));
    line.addAll(List.of("--", "sh", "-c", "cd '" + folder + "'; " + script));
    return CliProcess.Setup.in(folder).at(uri).run(line.toArray(String[]::new));
  }
}
