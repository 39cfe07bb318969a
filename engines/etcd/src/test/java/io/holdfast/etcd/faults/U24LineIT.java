package io.holdfast.etcd.faults;

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
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.time.Figure;
import io.holdfast.tck.TooLateError;
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
@Timeout(180)
class U24LineIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int PROCESSES = 4;
  private static final int EACH = 50;

  @TempDir Path folder;

  @Test
  @DisplayName(
      "200 waiters of 4 processes get in as they came, and one release wakes one of them at most")
  void inOrder() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        Holdfast holder = Holdfast.connect(uri(server));
        WorkerGroup crew = WorkerGroup.start(PROCESSES, LockWorker.class, folder, uri(server))) {
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
      // A client receives each departure at most once, however many of its threads wait.
      double sent = events(server) - before;
      assertThat(sent).isGreaterThanOrEqualTo(1.0 * PROCESSES * EACH);
      if (sent > 1.0 * PROCESSES * PROCESSES * EACH) {
        // Waiters that a busy machine held up for a lease join again, with events of their own.
        throw new TooLateError("%.0f events were sent in %d ms".formatted(sent, millis));
      }
    }
    History history = WorkerJvm.history(folder);
    new FifoOrder().check(history).requireClean(PROCESSES * EACH);
    new Overlap().check(history).requireClean(PROCESSES * EACH);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(PROCESSES * EACH);
    Figure.print("line: %s", WakeUps.of(history));
  }

  /** The holder is in line too. */
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
