package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.Capacities;
import io.holdfast.rig.EtcdServer;
import io.holdfast.rig.FifoOrder;
import io.holdfast.rig.Figure;
import io.holdfast.rig.History;
import io.holdfast.rig.HistoryWriter;
import io.holdfast.rig.Overlap;
import io.holdfast.rig.TokenOrder;
import io.holdfast.rig.WakeUps;
import io.holdfast.rig.WorkerJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
  private static final int DEAD = 5;

  @TempDir Path folder;

  @Test
  @DisplayName("five dead waiters cost one lease in all, and a live one keeps its place")
  void deadWaiters() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        HistoryWriter notes = HistoryWriter.create(folder.resolve("test"), "test");
        Holdfast holder = connect(server);
        Holdfast live = connect(server);
        Holdfast last = connect(server)) {
      List<WorkerJvm> victims = new ArrayList<>();
      try {
        for (int i = 0; i < DEAD; i++) {
          victims.add(WorkerJvm.start(Worker.class, folder, "v" + i, uri(server)));
        }
        victims.forEach(WorkerJvm::awaitReady);
        Hold hold = holder.lock("x").acquire(LONG);
        for (int i = 0; i < DEAD; i++) {
          victims.get(i).acquire("x", "d" + i, LONG);
          Lines.await(server, "x", i + 2);
        }
        CompletableFuture<Hold> next = live.lock("x").acquireAsync(LONG);
        Lines.await(server, "x", DEAD + 2);
        CompletableFuture<Hold> after = last.lock("x").acquireAsync(LONG);
        Lines.await(server, "x", DEAD + 3);

        long killed = 0;
        for (WorkerJvm victim : victims) {
          killed = victim.kill9(notes);
        }
        hold.close();
        Hold granted = next.get(30, TimeUnit.SECONDS);
        // Without the usual slack, which would let one lease for each of them pass.
        assertThat(System.nanoTime() - killed).isLessThan(LEASE.multipliedBy(3).toNanos());
        Figure.within(
            LEASE.plusMillis(500),
            System.nanoTime() - killed,
            DEAD + " dead waiters ahead (lease 2 s): next live one in");
        assertThat(after).isNotDone();
        granted.close();
        after.get(30, TimeUnit.SECONDS).close();
        Lines.awaitNone(server, LEASE);
      } finally {
        victims.forEach(WorkerJvm::close);
      }
    }
  }

  @Test
  @DisplayName(
      "200 waiters of 4 processes get in as they came, and no client is told twice of a release")
  void inOrder() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        Holdfast holder = connect(server)) {
      List<WorkerJvm> workers = new ArrayList<>();
      try {
        for (int i = 0; i < PROCESSES; i++) {
          workers.add(WorkerJvm.start(Worker.class, folder, "w" + i, uri(server)));
        }
        workers.forEach(WorkerJvm::awaitReady);
        Hold hold = holder.lock("x").acquire(LONG);
        arrive(server, workers);
        double before = events(server);
        long start = System.nanoTime();
        hold.close();
        for (WorkerJvm worker : workers) {
          for (int i = 0; i < EACH; i++) {
            worker.awaitAcquired(worker.name() + "-" + i);
          }
        }
        Lines.awaitNone(server, LONG);
        Figure.print(
            "%d waiters of %d processes through a line in %,d ms, %.0f events sent",
            PROCESSES * EACH,
            PROCESSES,
            (System.nanoTime() - start) / 1_000_000,
            events(server) - before);
        // A client hears of each departure at most once, however many of its threads wait.
        assertThat(events(server) - before)
            .isBetween(1.0 * PROCESSES * EACH, 1.0 * PROCESSES * PROCESSES * EACH);
      } finally {
        workers.forEach(WorkerJvm::close);
      }
    }
    History history = WorkerJvm.history(folder);
    new FifoOrder().check(history).requireClean(PROCESSES * EACH);
    new Overlap().check(history).requireClean(PROCESSES * EACH);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(PROCESSES * EACH);
    Figure.print("line: %s", WakeUps.of(history));
  }

  /** One of each process at a time; who comes later knows that those before have their places. */
  private static void arrive(EtcdServer server, List<WorkerJvm> workers) {
    for (int i = 0; i < EACH; i++) {
      for (WorkerJvm worker : workers) {
        worker.jvm().say("pass x " + worker.name() + "-" + i + " " + LONG.toMillis());
      }
      Lines.await(server, "x", (i + 1) * workers.size() + 1);
      for (WorkerJvm worker : workers) {
        worker.jvm().say("placed " + worker.name() + "-" + i);
      }
      for (WorkerJvm worker : workers) {
        worker.jvm().awaitLine("placed " + worker.name() + "-" + i, LONG);
      }
    }
  }

  private static double events(EtcdServer server) {
    return server.metric("etcd_debugging_mvcc_events_total");
  }

  private static String uri(EtcdServer server) {
    return server.uri() + "?holdfast.lease=2s&holdfast.order=fifo";
  }

  private static Holdfast connect(EtcdServer server) {
    return Holdfast.connect(uri(server));
  }
}
