package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.rig.checks.Capacities;
import io.holdfast.rig.checks.Overlap;
import io.holdfast.rig.checks.TokenOrder;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.history.History;
import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.servers.ServerClock;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients whose wall clocks are hours apart and jump. */
@Timeout(120)
class U11ClientClocksIT {

  private static final Duration LEASE = Duration.ofSeconds(2);

  @TempDir Path folder;

  @Test
  @DisplayName("wrong and jumping client clocks change neither exclusion nor the length of leases")
  void wrongClocks() throws Exception {
    assumeTrue(ServerClock.isAvailable(), "needs a compiler: apt-get install gcc");
    try (ServerClock ahead = ServerClock.create();
        ServerClock behind = ServerClock.create();
        Server server = Server.Kind.POSTGRESQL.start();
        HistoryWriter notes = HistoryWriter.create(folder.resolve("test"), "test")) {
      ahead.step(Duration.ofHours(1));
      behind.step(Duration.ofHours(-1));
      try (WorkerJvm a =
              WorkerJvm.start(Worker.class, folder, "ahead", server.uri(), ahead.environment());
          WorkerJvm b =
              WorkerJvm.start(Worker.class, folder, "behind", server.uri(), behind.environment())) {
        for (WorkerJvm worker : List.of(a, b)) {
          worker.awaitReady().jvm().say("sections shared 30 20000");
        }
        ahead.step(Duration.ofHours(-3));
        for (WorkerJvm worker : List.of(a, b)) {
          String done = worker.jvm().awaitLine("sections shared ", WorkerJvm.LONG);
          assertThat(done).isEqualTo("sections shared 30 of 30");
        }
        lengthOfLease(a, b, notes);
      }
    }
    History history = WorkerJvm.history(folder);
    new Overlap().check(history).requireClean(62);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(62);
  }

  private static void lengthOfLease(WorkerJvm holder, WorkerJvm next, HistoryWriter notes) {
    holder.acquire("dies", "d1", WorkerJvm.LONG);
    holder.awaitAcquired("d1");
    next.acquire("dies", "d2", WorkerJvm.LONG);
    long killed = holder.kill9(notes);
    Figure.within(
        LEASE.plusSeconds(1),
        next.awaitAcquired("d2").nanos() - killed,
        "kill -9 of a holder whose clock is an hour off (lease 2 s): next grant");
  }
}
