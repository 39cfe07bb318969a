package io.holdfast.cli.commands.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliProcess;
import io.holdfast.cli.EngineWithServer;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.StoreObserver;
import io.holdfast.rig.process.ServerProcess;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
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

/** The store becomes unreachable under {@code run}. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("holdfast run, when its lock is lost:")
class RunLossIT {

  private static final Duration LEASE = Duration.ofSeconds(5);

  /** The engines that report the rest of a lease to the millisecond. */
  private static final Set<EngineWithServer> TELL_LEASES =
      EnumSet.of(
          EngineWithServer.SQLITE,
          EngineWithServer.REDIS,
          EngineWithServer.POSTGRESQL,
          EngineWithServer.MARIADB,
          EngineWithServer.H2);

  /** Ignores TERM, so that only KILL ends it, and writes when it was alive. */
  private static final String STUBBORN =
      "trap '' TERM; (while :; do date +%s%N >>beats; sleep 0.02; done) & echo >up; wait";

  @TempDir Path folder;

  @ParameterizedTest
  @MethodSource("io.holdfast.cli.EngineWithServer#thatCanBeStopped")
  @DisplayName("the store is stopped: all of the command is gone before the lease is over")
  void stopped(EngineWithServer engine) throws Exception {
    checkStopped(engine, "1666ms");
  }

  @Test
  @DisplayName("the same with the shortest grace that is taken")
  void shortestGrace() throws Exception {
    checkStopped(EngineWithServer.SQLITE, SupervisedCommand.shortestGrace(LEASE).toMillis() + "ms");
  }

  private void checkStopped(EngineWithServer engine, String grace) throws Exception {
    try (EngineWithServer.Store store = engine.start(folder);
        StoreObserver onlooker = new StoreObserver(store);
        CliProcess run = start(store.uri(), STUBBORN, "--grace", grace)) {
      run.awaitLineIn(folder.resolve("up"));
      long deadline =
          engine == EngineWithServer.SQLITE
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

  /** Nobody can renew in a file that another writes to; returns when the lease in it ends. */
  private static long endWithLockedFile(String uri, CliProcess run, StoreObserver onlooker)
      throws Exception {
    try (Connection connection = DriverManager.getConnection(uri);
        Statement statement = connection.createStatement()) {
      statement.execute("pragma busy_timeout=10000");
      statement.execute("begin immediate");
      long deadline = deadline(onlooker);
      assertThat(run.awaitExit()).as(run.err()).isEqualTo(ExitCode.LOST);
      return deadline;
    }
  }

  /** Returns when the lease ends, or the latest time if a renewal came meanwhile. */
  private static long endWithoutServers(
      EngineWithServer.Store store, CliProcess run, StoreObserver onlooker) {
    boolean told = TELL_LEASES.contains(store.engine());
    if (told) {
      Await.until(
          "a renewal",
          CliProcess.LONG,
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
  private static long deadline(StoreObserver onlooker) {
    long left = onlooker.leaseLeft("job").toMillis();
    return System.currentTimeMillis() + left;
  }

  @ParameterizedTest
  @MethodSource("io.holdfast.cli.EngineWithServer#withOneServer")
  @DisplayName("it is cut off alone: all of the command is gone before a rival is in")
  void cutOff(EngineWithServer engine) throws Exception {
    try (EngineWithServer.Store store = engine.start(folder);
        FaultProxy proxy = FaultProxy.to(store.servers().get(0));
        CliProcess run = start(store.uri(proxy.port()), STUBBORN)) {
      run.awaitLineIn(folder.resolve("up"));
      try (CliProcess rival = start(store.uri(), "date +%s%N >rival; echo >in")) {
        Await.until("the rival's start", CliProcess.LONG, rival::isRunning);
        proxy.cut();
        assertThat(rival.awaitExit()).as(rival.err()).isZero();
        assertThat(run.awaitExit()).as(run.err()).isEqualTo(ExitCode.LOST);
        long gap = Long.parseLong(CliProcess.awaitLine(folder.resolve("rival"))) - lastBeat();
        Figure.print("%s: cut off, gone %,d ms before the rival was in", engine, gap / 1_000_000);
        assertThat(gap).isPositive();
      } finally {
        proxy.heal();
      }
    }
  }

  @Test
  @DisplayName("the store is back after TERM: a command that ignores it is ended all the same")
  void backInTime() throws Exception {
    try (EngineWithServer.Store store = EngineWithServer.REDIS.start(folder);
        FaultProxy proxy = FaultProxy.to(store.servers().get(0));
        CliProcess run = start(store.uri(proxy.port()), STUBBORN, "--grace", "2s")) {
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
    String[] beats = CliProcess.read(folder.resolve("beats")).strip().split("\n", -1);
    return Long.parseLong(beats[beats.length - 1]);
  }

  private CliProcess start(String uri, String script, String... more) {
    List<String> line = new ArrayList<>(List.of("run", "job", "--lease", "5s"));
    line.addAll(List.of(more));
    line.addAll(List.of("--", "sh", "-c", "cd '" + folder + "'; " + script));
    return CliProcess.Setup.in(folder).at(uri).start(line.toArray(String[]::new));
  }
}
