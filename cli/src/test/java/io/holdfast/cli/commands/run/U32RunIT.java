package io.holdfast.cli.commands.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliProcess;
import io.holdfast.cli.ExitCode;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A command under a lock leaves nothing running without it, and its exit code comes through. */
@Timeout(120)
@DisplayName("U32, holdfast run:")
class U32RunIT {

  /** A family of three: one whose parent is the shell, one whose parent has ended. */
  private static final String FAMILY =
      "sleep 601 & echo $! >>pids; (setsid sleep 602 & echo $! >>pids); echo $$ >>pids; echo >up;";

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"TERM, 143", "INT, 130", "HUP, 129"})
  @DisplayName("signals reach the command and all its descendants, orphans too")
  void signals(String signal, int code) throws Exception {
    // A shell gives its background jobs a deaf ear for INT, so that one of the three needs KILL.
    try (CliProcess run = start("20s", FAMILY + "wait")) {
      List<Long> family = awaitFamily();
      long start = System.nanoTime();
      run.signal(signal);
      assertThat(run.awaitExit()).as(run.err()).isEqualTo(code);
      Figure.since(start, Duration.ofSeconds(3), signal + " to the end of all");
      assertThat(alive(family)).isEmpty();
    }
    assertFree();
  }

  @Test
  @DisplayName("a command that ignores TERM gets KILL after the grace")
  void deaf() throws Exception {
    try (CliProcess run =
        start("20s", "trap '' TERM; " + FAMILY + "while :; do sleep 0.1; done", "2s")) {
      List<Long> family = awaitFamily();
      long start = System.nanoTime();
      run.signal("TERM");
      assertThat(run.awaitExit()).as(run.err()).isEqualTo(137);
      assertThat(System.nanoTime() - start).isGreaterThan(1_900_000_000L);
      Figure.since(start, Duration.ofMillis(2500), "KILL after a grace of 2 s");
      assertThat(alive(family)).isEmpty();
    }
    assertFree();
  }

  @Test
  @DisplayName("kill -9 of the program ends the command and all its descendants")
  void killed() throws Exception {
    try (CliProcess run = start("20s", FAMILY + "wait")) {
      List<Long> family = awaitFamily();
      long start = System.nanoTime();
      run.kill9();
      Await.until("the end of " + family, CliProcess.LONG, () -> alive(family).isEmpty());
      Figure.since(start, Duration.ofSeconds(1), "kill -9 to the end of all");
    }
  }

  @Test
  @DisplayName("what a command leaves running at its own end is let go")
  void daemons() throws Exception {
    try (CliProcess run = start("20s", "(setsid sleep 603 & echo $! >pids); exit 7")) {
      assertThat(run.awaitExit()).as(run.err()).isEqualTo(7);
      long daemon = Long.parseLong(CliProcess.awaitLine(folder.resolve("pids")));
      assertThat(alive(List.of(daemon))).hasSize(1);
      CliProcess.signal("KILL", daemon);
    }
    assertFree();
  }

  @Test
  @DisplayName("what cannot be run is refused with the codes of shells, before any lock")
  void cannotRun() throws Exception {
    CliProcess.Setup setup = CliProcess.Setup.in(folder);
    Path file = Files.writeString(folder.resolve("text"), "no program");
    assertThat(setup.run("run", "x", "--", "no-such-program").awaitExit()).isEqualTo(127);
    assertThat(setup.run("run", "x", "--", file.toString()).awaitExit()).isEqualTo(126);
    assertThat(folder.resolve("state")).doesNotExist();
    CliProcess hasty = setup.run("run", "x", "--lease", "6s", "--grace", "999ms", "--", "true");
    assertThat(hasty.awaitExit()).isEqualTo(ExitCode.USAGE);
    assertThat(hasty.err()).contains("--grace must be 1s to 2400ms", "with less, KILL");
    CliProcess slow = setup.run("run", "x", "--lease", "6s", "--grace", "2401ms", "--", "true");
    assertThat(slow.awaitExit()).isEqualTo(ExitCode.USAGE);
    assertThat(slow.err()).contains("--grace must be 1s to 2400ms", "with more, a renewal");
  }

  @Test
  @DisplayName("arguments are the command's own, also @file; and without -- nothing runs")
  void arguments() throws Exception {
    CliProcess.Setup setup = CliProcess.Setup.in(folder);
    String file = "@" + Files.writeString(folder.resolve("f"), "of the file");
    CliProcess plain = setup.run("run", "x", "--", "printf", "%s,", file, "-n", "--", "@" + file);
    assertThat(plain.awaitExit()).as(plain.err()).isZero();
    assertThat(plain.out()).isEqualTo(file + ",-n,--,@" + file + ",");
    CliProcess without = setup.run("run", "x", "printf", "%s", "-n");
    assertThat(without.awaitExit()).isEqualTo(ExitCode.USAGE);
    assertThat(without.err()).contains("-- COMMAND");
    assertThat(without.out()).isEmpty();
    CliProcess late = setup.run("run", "x", "printf", "--", "%s");
    assertThat(late.awaitExit()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  @DisplayName("without the lock it reports the holder, and ends as flock does")
  void busy() throws Exception {
    try (CliProcess holder = start("20s", "echo >up; sleep 600; :")) {
      CliProcess.awaitLine(folder.resolve("up"));
      CliProcess.Setup setup = CliProcess.Setup.in(folder);
      try (CliProcess now = setup.start("run", "job", "-n", "--", "true");
          CliProcess soon = setup.start("run", "job", "-w", "300ms", "-E", "42", "--", "true")) {
        assertThat(now.awaitExit()).isEqualTo(ExitCode.NOT_ACQUIRED);
        assertThat(now.err())
            .contains("job is held by", "at jdbc:sqlite:", "as --no-wait says")
            .contains("holdfast run pid " + holder.pid());
        assertThat(soon.awaitExit()).isEqualTo(42);
        assertThat(soon.err()).contains("waited for 300 ms");
      }
    }
  }

  @Test
  @DisplayName("a lock inside a lock works, and the outer one ends both")
  void nested() throws Exception {
    List<String> inner =
        Stream.concat(CliProcess.java().stream(), Stream.of("run", "inner", "--")).toList();
    Path script = folder.resolve("inner.sh");
    Files.writeString(
        script, String.join(" ", inner) + " sh -c 'cd " + folder + "; " + FAMILY + " wait'");
    try (CliProcess run = start("20s", "sh " + script + "; :")) {
      List<Long> family = awaitFamily();
      run.signal("TERM");
      assertThat(run.awaitExit()).as(run.err()).isEqualTo(143);
      assertThat(alive(family)).isEmpty();
    }
    assertFree();
  }

  private CliProcess start(String lease, String script) {
    return start(lease, script, "1500ms");
  }

  private CliProcess start(String lease, String script, String grace) {
    return CliProcess.Setup.in(folder)
        .start(
            "run",
            "job",
            "--lease",
            lease,
            "--grace",
            grace,
            "--",
            "sh",
            "-c",
            "cd '" + folder + "'; " + script);
  }

  private List<Long> awaitFamily() {
    CliProcess.awaitLine(folder.resolve("up"));
    return CliProcess.read(folder.resolve("pids")).lines().map(Long::valueOf).toList();
  }

  private static List<Long> alive(List<Long> pids) {
    return pids.stream()
        .filter(pid -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent())
        .filter(pid -> !ProcFiles.isZombie(pid))
        .toList();
  }

  /** Long before the end of the lease that it was held with. */
  private void assertFree() {
    CliProcess next = CliProcess.Setup.in(folder).run("run", "job", "--wait", "8s", "--", "true");
    assertThat(next.awaitExit()).as(next.err()).isZero();
  }
}
