package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.rig.checks.Capacities;
import io.holdfast.rig.checks.Overlap;
import io.holdfast.rig.checks.TokenOrder;
import io.holdfast.rig.clients.LockWorker;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.history.History;
import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.ServerClock;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Clients whose wall clocks are hours apart and jump. */
@Isolated
@Timeout(90)
class U11ClientClocksIT {

  private static final Duration LEASE = Duration.ofSeconds(2);

  @TempDir Path folder;

  @Test
  @DisplayName("wrong and jumping client clocks change neither exclusion nor the length of leases")
  void wrongClocks() throws Exception {
    // Not libfaketime, which makes timed waits of a JVM end at any time or never.
    assumeTrue(ServerClock.isAvailable(), "needs a compiler: apt-get install gcc");
    try (ServerClock ahead = ServerClock.create();
        ServerClock behind = ServerClock.create();
        RedisServer server = RedisServer.start();
        HistoryWriter notes = HistoryWriter.create(folder.resolve("test"), "test")) {
      ahead.step(Duration.ofHours(1));
      behind.step(Duration.ofHours(-1));
      String uri = server.uri() + "?holdfast.lease=2s";
      try (WorkerJvm a =
              WorkerJvm.start(LockWorker.class, folder, "ahead", uri, ahead.environment());
          WorkerJvm b =
              WorkerJvm.start(LockWorker.class, folder, "behind", uri, behind.environment());
          WorkerJvm c = WorkerJvm.start(LockWorker.class, folder, "right", uri)) {
        a.awaitReady();
        b.awaitReady();
        c.awaitReady();
        for (WorkerJvm worker : new WorkerJvm[] {a, b, c}) {
          worker.jvm().say("sections shared 60 20000");
        }
        for (WorkerJvm worker : new WorkerJvm[] {a, b, c}) {
          String done = worker.jvm().awaitLine("sections shared ", WorkerJvm.LONG);
          assertThat(done).isEqualTo("sections shared 60 of 60");
        }
        stepWhileHeld(ahead, a);
        lengthOfLease(a, b, notes);
      }
    }
    History history = WorkerJvm.history(folder);
    new Overlap().check(history).requireClean(183);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(183);
  }

  /** A jump looks like a host that was suspended: it may cost one renewal, never the hold. */
  private static void stepWhileHeld(ServerClock clock, WorkerJvm holder) {
    holder.acquire("stepped", "s1", LEASE);
    holder.awaitAcquired("s1");
    for (int hours : new int[] {2, -5, 3}) {
      clock.step(Duration.ofHours(hours));
      long start = System.nanoTime();
      Await.until("a renewal", WorkerJvm.LONG, () -> System.nanoTime() - start > 700_000_000L);
    }
    holder.jvm().say("release s1");
    assertThat(holder.jvm().awaitLine("released s1", WorkerJvm.LONG)).endsWith("RELEASED");
    assertThat(holder.jvm().lines()).noneMatch(line -> line.startsWith("lost "));
  }

  private static void lengthOfLease(WorkerJvm holder, WorkerJvm next, HistoryWriter notes) {
    holder.acquire("dies", "d1", LEASE);
    holder.awaitAcquired("d1");
    next.acquire("dies", "d2", WorkerJvm.LONG);
    long killed = holder.kill9(notes);
    Figure.within(
        LEASE.plusSeconds(1),
        next.awaitAcquired("d2").nanos() - killed,
        "kill -9 of a holder whose clock is 2 h before the next one's (lease 2 s): next grant");
  }
}
