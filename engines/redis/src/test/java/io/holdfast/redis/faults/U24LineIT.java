package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.checks.Capacities;
import io.holdfast.rig.checks.FifoOrder;
import io.holdfast.rig.checks.Overlap;
import io.holdfast.rig.checks.TokenOrder;
import io.holdfast.rig.checks.WakeUps;
import io.holdfast.rig.clients.LockWorker;
import io.holdfast.rig.clients.WorkerGroup;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.history.History;
import io.holdfast.rig.servers.RedisMonitor;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * What a line of many processes costs; its order and its dead are in the fault kit, F03 and F04.
 */
@Isolated
@Timeout(90)
class U24LineIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int PROCESSES = 4;
  private static final int EACH = 50;

  @TempDir Path folder;

  @Test
  @DisplayName("200 waiters of 4 processes get in as they came, and each release wakes one")
  void inOrder() throws Exception {
    try (RedisServer server = RedisServer.start();
        Holdfast holder = Holdfast.connect(uri(server));
        WorkerGroup crew = WorkerGroup.start(PROCESSES, LockWorker.class, folder, uri(server))) {
      Hold hold = holder.lock("x").acquire(LONG);
      crew.queue("x", EACH, waiting -> await(server, waiting));
      try (RedisMonitor monitor = RedisMonitor.of(server)) {
        long start = System.nanoTime();
        hold.close();
        crew.awaitIn(EACH);
        StoredKeys.awaitNone(server, LONG);
        long took = System.nanoTime() - start;
        long signals = monitor.commands().stream().filter(c -> c.name().equals("PUBLISH")).count();
        Figure.print(
            "%d waiters of %d processes through a line in %,d ms, %d signals",
            PROCESSES * EACH, PROCESSES, took / 1_000_000, signals);
        assertThat(signals).isEqualTo(PROCESSES * EACH);
      }
    }
    History history = WorkerJvm.history(folder);
    new FifoOrder().check(history).requireClean(PROCESSES * EACH);
    new Overlap().check(history).requireClean(PROCESSES * EACH);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(PROCESSES * EACH);
    Figure.print("line: %s", WakeUps.of(history));
  }

  private static void await(RedisServer server, int waiting) {
    String key = StoredKeys.ofLock(server, "x");
    Await.until("their places", LONG, () -> StoredKeys.inLine(server, key) == waiting);
  }

  private static String uri(RedisServer server) {
    return server.uri() + "?holdfast.lease=2s&holdfast.order=fifo";
  }
}
