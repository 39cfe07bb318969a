package io.holdfast.cli.commands.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliProcess;
import io.holdfast.cli.EngineWithServer;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.StoreObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Locks that several may have, names that do not meet, and what others see of a holder. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("holdfast run, kinds of locks:")
class KindsOfLockIT {

  private static final String JOB = "job";

  @TempDir Path folder;

  @ParameterizedTest
  @MethodSource("io.holdfast.cli.EngineWithServer#thatCanBeLookedInto")
  @DisplayName(
      "two shared holders run at once; an exclusive one waits for both and blocks the next")
  void shared(EngineWithServer engine) throws Exception {
    try (EngineWithServer.Store store = engine.start(folder);
        StoreObserver onlooker = new StoreObserver(store);
        CliProcess one = start(store, "one", "--shared");
        CliProcess two = start(store, "two", "--shared")) {
      awaitIn(one, "one");
      awaitIn(two, "two");
      assertThat(onlooker.holders(JOB)).isEqualTo(2);
      try (CliProcess writer = start(store, "writer", "--exclusive")) {
        writer.awaitWhileRunning("waiting", () -> onlooker.waiters(JOB) == 1);
        end(one, "one");
        assertThat(onlooker.holders(JOB)).isEqualTo(1);
        assertThat(onlooker.waiters(JOB)).isEqualTo(1);
        end(two, "two");
        awaitIn(writer, "writer");
        try (CliProcess reader = start(store, "reader", "--shared")) {
          reader.awaitWhileRunning("waiting", () -> onlooker.waiters(JOB) == 1);
          assertThat(folder.resolve("reader")).doesNotExist();
          end(writer, "writer");
          awaitIn(reader, "reader");
          assertRefused(start(store, "mutex"), "read/write lock");
          end(reader, "reader");
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.holdfast.cli.EngineWithServer#thatCanBeLookedInto")
  @DisplayName(
      "permits: holders that fit run, the next one waits, and another number of permits is refused")
  void permits(EngineWithServer engine) throws Exception {
    try (EngineWithServer.Store store = engine.start(folder);
        StoreObserver onlooker = new StoreObserver(store);
        CliProcess two = start(store, "two", "--permits", "2/3");
        CliProcess one = start(store, "one", "--permits", "1/3")) {
      awaitIn(two, "two");
      awaitIn(one, "one");
      try (CliProcess next = start(store, "next", "--permits", "1/3")) {
        next.awaitWhileRunning("waiting", () -> onlooker.waiters(JOB) == 1);
        assertThat(onlooker.holders(JOB)).isEqualTo(2);
        assertThat(folder.resolve("next")).doesNotExist();
        assertRefused(start(store, "other", "--permits", "1/4"), "semaphore of 3");
        end(one, "one");
        awaitIn(next, "next");
        assertThat(onlooker.holders(JOB)).isEqualTo(2);
        end(next, "next");
        end(two, "two");
      }
    }
  }

  @Test
  @DisplayName("permits that cannot be are refused before anybody waits")
  void badPermits() {
    for (String bad : List.of("4/3", "0/3", "1/3/5", "x", "-1")) {
      CliProcess refused =
          CliProcess.Setup.in(folder).run("run", JOB, "--permits=" + bad, "--", "true");
      assertThat(refused.awaitExit()).as(bad).isEqualTo(ExitCode.USAGE);
      assertThat(refused.err()).contains("--permits", bad);
    }
    CliProcess both =
        CliProcess.Setup.in(folder).run("run", JOB, "--shared", "--exclusive", "--", "true");
    assertThat(both.awaitExit()).isEqualTo(ExitCode.USAGE);
    assertThat(both.err()).contains("--shared", "--exclusive", "mutually exclusive");
  }

  @ParameterizedTest
  @MethodSource("io.holdfast.cli.EngineWithServer#thatCanBeLookedInto")
  @DisplayName("names of two namespaces do not meet, and show has each in its own")
  void namespaces(EngineWithServer engine) throws Exception {
    try (EngineWithServer.Store store = engine.start(folder);
        CliProcess web = start(store, "web", "--namespace", "web", "--label", "of the web")) {
      awaitIn(web, "web");
      CliProcess.Setup setup = CliProcess.Setup.in(folder).at(store.uri());

      // With some patience, as a busy machine may not reach its store at once.
      CliProcess other =
          setup.run("run", JOB, "--namespace", "mail", "--wait", "30s", "--", "true");
      CliProcess usual = setup.run("run", JOB, "--wait", "30s", "--", "true");
      CliProcess same = setup.run("run", JOB, "--namespace", "web", "--wait", "6s", "--", "true");

      assertThat(same.awaitExit()).as(same.err()).isEqualTo(ExitCode.NOT_ACQUIRED);
      assertThat(other.awaitExit()).as(other.err()).isZero();
      assertThat(usual.awaitExit()).as(usual.err()).isZero();
      CliProcess shown = setup.run("show", JOB, "--namespace", "web");
      assertThat(shown.awaitExit()).as(shown.err()).isZero();
      assertThat(shown.out()).contains("pid " + web.pid(), "(of the web)");
      assertThat(setup.run("show", JOB, "--namespace", "mail").awaitExit())
          .isEqualTo(ExitCode.NOT_ACQUIRED);
      end(web, "web");
    }
  }

  @Test
  @DisplayName("others see the label, or the program without its arguments")
  void label() throws Exception {
    try (EngineWithServer.Store store = EngineWithServer.SQLITE.start(folder);
        CliProcess labelled = start(store, "one", "--shared", "--label", "nightly load");
        CliProcess plain = start(store, "two", "--shared")) {
      awaitIn(labelled, "one");
      awaitIn(plain, "two");
      CliProcess shown = CliProcess.Setup.in(folder).run("show", JOB);
      assertThat(shown.out())
          .containsPattern("holdfast run pid " + labelled.pid() + " on .*\\(nightly load\\)")
          .containsPattern("holdfast run pid " + plain.pid() + " on .*\\(sh\\)")
          .doesNotContain("echo");
      end(labelled, "one");
      end(plain, "two");
    }
  }

  /** A command that reports when it runs, and ends on request. */
  private CliProcess start(EngineWithServer.Store store, String who, String... options) {
    List<String> line = new ArrayList<>(List.of("run", JOB));
    line.addAll(List.of(options));
    String script = "cd '%s'; echo >%s; until [ -e %s-end ]; do sleep 0.1; done";
    line.addAll(List.of("--", "sh", "-c", script.formatted(folder, who, who)));
    return CliProcess.Setup.in(folder).at(store.uri()).start(line.toArray(String[]::new));
  }

  private void awaitIn(CliProcess run, String who) {
    String ignored = run.awaitLineIn(folder.resolve(who));
  }

  private void end(CliProcess run, String who) throws Exception {
    Files.createFile(folder.resolve(who + "-end"));
    assertThat(run.awaitExit()).as(run.err()).isZero();
  }

  /** Says what the name is in use as, and what to do. */
  private static void assertRefused(CliProcess run, String inUseAs) {
    try (run) {
      assertThat(run.awaitExit()).as(run.err()).isEqualTo(ExitCode.REFUSED);
      assertThat(run.err())
          .contains("is in use as a " + inUseAs + ", and was asked for as a ")
          .contains("use one shape for a name, or another name");
    }
  }
}
