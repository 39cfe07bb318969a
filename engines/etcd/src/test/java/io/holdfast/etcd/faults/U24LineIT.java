package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.Capacities;
import io.holdfast.rig.Crew;
import io.holdfast.rig.DeadWaiters;
import io.holdfast.rig.EtcdServer;
import io.holdfast.rig.FifoOrder;
import io.holdfast.rig.Figure;
import io.holdfast.rig.History;
import io.holdfast.rig.LockWorker;
import io.holdfast.rig.Overlap;
import io.holdfast.rig.TokenOrder;
import io.holdfast.rig.WakeUps;
import io.holdfast.rig.WorkerJvm;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A line whose waiters die, wait long and come in crowds. */
@Isolated
@Timeout(180)
class U24LineIT {

  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int PROCESSES = 4;
  private static final int EACH = 50;

  @TempDir Path folder;

  @Test
  @DisplayName("five dead waiters cost one lease in all, and a live one keeps its place")
  void deadWaiters() throws Exception {
    try (EtcdServer server = EtcdServer.start()) {
      DeadWaiters.costOneLease(folder, uri(server), LEASE, waiting -> await(server, waiting));
      Lines.awaitNone(server, LEASE);
    }
  }

  @Test
  @DisplayName(
      "200 waiters of 4 processes get in as they came, and one release wakes one of them at most")
  void inOrder() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        Holdfast holder = Holdfast.connect(uri(server));
        Crew crew = Crew.start(PROCESSES, LockWorker.class, folder, uri(server))) {
      Hold hold = holder.lock("x").acquire(LONG);
      crew.queue("x", EACH, waiting -> await(server, waiting));
      double before = events(server);
      long start = System.nanoTime();
      hold.close();
      crew.awaitIn(EACH);
      Lines.awaitNone(server, LONG);
      long millis = (System.nanoTime() - start) / 1_000_000;
      long woken = crew.sum("signals.rung");
      Figure.print(
          "%d waiters of %d processes through a line in %,d ms, %.0f events sent, %d woken",
          PROCESSES * EACH, PROCESSES, millis, events(server) - before, woken);
      // There were as many releases as waiters, and none wakes two. Who looked by itself needs
      // none.
      assertThat(woken).isBetween(1L, 1L * PROCESSES * EACH);
      // A client hears of each departure at most once, however many of its threads wait.
      assertThat(events(server) - before)
          .isBetween(1.0 * PROCESSES * EACH, 1.0 * PROCESSES * PROCESSES * EACH);
    }
    History history = WorkerJvm.history(folder);
    new FifoOrder().check(history).requireClean(PROCESSES * EACH);
    new Overlap().check(history).requireClean(PROCESSES * EACH);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(PROCESSES * EACH);
    Figure.print("line: %s", WakeUps.of(history));
  }

  /** Beside those who wait, the holder is in line as well. */
  private static void await(EtcdServer server, int waiting) {
    Lines.await(server, "x", waiting + 1);
  }

  private static double events(EtcdServer server) {
    return server.metric("etcd_debugging_mvcc_events_total");
  }

  private static String uri(EtcdServer server) {
    return server.uri() + "?holdfast.lease=2s&holdfast.order=fifo";
  }
}
