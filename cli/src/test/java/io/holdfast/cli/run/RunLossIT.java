package io.holdfast.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.Cli;
import io.holdfast.cli.Engine;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Onlooker;
import io.holdfast.rig.Await;
import io.holdfast.rig.FaultProxy;
import io.holdfast.rig.Figure;
import io.holdfast.rig.ServerProcess;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The store goes away under {@code run}. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("holdfast run, when its lock is lost:")
class RunLossIT {

  private static final Duration LEASE = Duration.ofSeconds(5);

  /** Those that say to the millisecond what is left of a lease. */
  private static final Set<Engine> TELL_LEASES =
      EnumSet.of(Engine.SQLITE, Engine.REDIS, Engine.POSTGRESQL, Engine.MARIADB, Engine.H2);

  /** Does not hear TERM, so that only KILL ends it, and writes when it was alive. */
  private static final String STUBBORN =
      "trap '' TERM; (while :; do date +%s%N >>beats; sleep 0.02; done) & echo >up; wait";

  @TempDir Path folder;

  @ParameterizedTest
  @MethodSource("io.holdfast.cli.Engine#ofThisRun")
  @DisplayName("the store is stopped: all of the command is gone before the lease is over")
  void stopped(Engine engine) throws Exception {
    checkStopped(engine, "1666ms");
  }

  @Test
  @DisplayName("the same with the shortest grace that is taken")
  void shortestGrace() throws Exception {
    checkStopped(Engine.SQLITE, Tether.shortestGrace(LEASE).toMillis() + "ms");
  }

  private void checkStopped(Engine engine, String grace) throws Exception {
    try (Engine.Store store = engine.start(folder);
        Onlooker onlooker = new Onlooker(store);
        Cli run = start(store.uri(), STUBBORN, "--grace", grace)) {
      run.awaitLineIn(folder.resolve("up"));
      long deadline =
          engine == Engine.SQLITE
              ? endWithLockedFile(store.uri(), run, onlooker)
              : endWithoutServers(store, run, onlooker);
      long early = deadline - lastBeat() / 1_000_000;
      Figure.print(
          "%s: the store is stopped; gone %,d ms before the lease of %,d ms was over",
          engine, early, LEASE.toMillis());
      assertThat(early).as(run.err()).isPositive();
      assertThat(run.err()).contains("job was lost");
    }
  }

  /** Nobody can renew in a file that another writes to; answers when the lease in it ends. */
  private static long endWithLockedFile(String uri, Cli run, Onlooker onlooker) throws Exception {
    try (Connection connection = DriverManager.getConnection(uri);
        Statement statement = connection.createStatement()) {
      statement.execute("pragma busy_timeout=10000");
      statement.execute("begin immediate");
      long deadline = deadline(onlooker);
      assertThat(run.awaitExit()).as(run.err()).isEqualTo(ExitCode.LOST);
      return deadline;
    }
  }

  /** Answers when the lease ends, or when it does at the latest if a renewal came meanwhile. */
  private static long endWithoutServers(Engine.Store store, Cli run, Onlooker onlooker) {
    boolean told = TELL_LEASES.contains(store.engine());
    if (told) {
      Await.until(
          "a renewal",
          Cli.LONG,
          () -> onlooker.leaseLeft("job").compareTo(LEASE.minusMillis(500)) > 0);
    }
    long deadline = told ? deadline(onlooker) : 0;
    long looked = System.nanoTime();
    store.servers().forEach(ServerProcess::kill9);
    // The next renewal is due a third of the lease after that one.
    boolean notRenewed = System.nanoTime() - looked < LEASE.dividedBy(5).toNanos();
    long latest = System.currentTimeMillis() + LEASE.toMillis();
    assertThat(run.awaitExit()).as(run.err()).isEqualTo(ExitCode.LOST);
    return told && notRenewed ? deadline : latest;
  }

  /** When the lease ends by what the store says now, in milliseconds of the wall clock. */
  private static long deadline(Onlooker onlooker) {
    long left = onlooker.leaseLeft("job").toMillis();
    return System.currentTimeMillis() + left;
  }

  @ParameterizedTest
  @MethodSource("io.holdfast.cli.Engine#withOneServer")
  @DisplayName("it is cut off alone: all of the command is gone before a rival is in")
  void cutOff(Engine engine) throws Exception {
    try (Engine.Store store = engine.start(folder);
        FaultProxy proxy = FaultProxy.to(store.servers().get(0));
        Cli run = start(store.uri(proxy.port()), STUBBORN)) {
      run.awaitLineIn(folder.resolve("up"));
      try (Cli rival = start(store.uri(), "date +%s%N >rival; echo >in")) {
        Await.until("the rival's start", Cli.LONG, rival::isRunning);
        proxy.cut();
        assertThat(rival.awaitExit()).as(rival.err()).isZero();
        assertThat(run.awaitExit()).as(run.err()).isEqualTo(ExitCode.LOST);
        long gap = Long.parseLong(Cli.awaitLine(folder.resolve("rival"))) - lastBeat();
        Figure.print("%s: cut off, gone %,d ms before the rival was in", engine, gap / 1_000_000);
        assertThat(gap).isPositive();
      } finally {
        proxy.heal();
      }
    }
  }

  @Test
  @DisplayName("the store is back after TERM: what does not hear that is ended all the same")
  void backInTime() throws Exception {
    try (Engine.Store store = Engine.REDIS.start(folder);
        FaultProxy proxy = FaultProxy.to(store.servers().get(0));
        Cli run = start(store.uri(proxy.port()), STUBBORN, "--grace", "2s")) {
      run.awaitLineIn(folder.resolve("up"));
      proxy.cut();
      run.awaitWhileRunning("TERM", () -> run.err().contains("renewals fail"));
      proxy.heal();
      long start = System.nanoTime();
      assertThat(run.awaitExit()).as(run.err()).isEqualTo(ExitCode.LOST);
      Figure.since(start, LEASE, "the end after TERM, though the store is back");
    }
  }

  private long lastBeat() {
    String[] beats = Cli.read(folder.resolve("beats")).strip().split("\n", -1);
    return Long.parseLong(beats[beats.length - 1]);
  }

  private Cli start(String uri, String script, String... more) {
    List<String> line = new ArrayList<>(List.of("run", "job", "--lease", "5s"));
    line.addAll(List.of(more));
    line.addAll(List.of("--", "sh", "-c", "cd '" + folder + "'; " + script));
    return Cli.Setup.in(folder).at(uri).start(line.toArray(String[]::new));
  }
}
