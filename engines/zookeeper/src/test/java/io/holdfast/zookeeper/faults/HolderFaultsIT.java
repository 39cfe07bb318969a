package io.holdfast.zookeeper.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.Capacities;
import io.holdfast.rig.Figure;
import io.holdfast.rig.History;
import io.holdfast.rig.HistoryWriter;
import io.holdfast.rig.LossNotices;
import io.holdfast.rig.Overlap;
import io.holdfast.rig.TokenOrder;
import io.holdfast.rig.WorkerJvm;
import io.holdfast.rig.ZooKeeperServer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Holders that die without a word, or stand still for longer than their session. */
@Timeout(120)
class HolderFaultsIT {

  private static final Duration LEASE = Duration.ofSeconds(3);

  /** The session's time, one tick and a second. */
  private static final Duration BOUND = LEASE.plusMillis(200).plusSeconds(1);

  private static ZooKeeperServer server;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    server = ZooKeeperServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private WorkerJvm worker(String name, String order) {
    String uri = server.uri() + "/faults?holdfast.lease=3s&holdfast.order=" + order;
    return WorkerJvm.start(Worker.class, folder, name, uri);
  }

  @Test
  @DisplayName("after kill -9 of a holder the next one is in when its session has ended")
  void killed() {
    try (HistoryWriter notes = HistoryWriter.create(folder.resolve("test"), "test");
        WorkerJvm a = worker("a", "any");
        WorkerJvm b = worker("b", "any");
        WorkerJvm fifo = worker("fifo", "fifo");
        WorkerJvm next = worker("next", "fifo")) {
      take("any", a, b);
      take("fifo", fifo, next);
      long killed = a.kill9(notes);
      long killedInLine = fifo.kill9(notes);
      getsIn("any", b, killed);
      getsIn("fifo", next, killedInLine);
    }
    History history = WorkerJvm.history(folder);
    new Overlap().check(history).requireClean(4);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(4);
  }

  /** The order is the name of the lock as well. */
  private static void take(String order, WorkerJvm holder, WorkerJvm waiter) {
    holder.awaitReady().acquire(order, order + 1, WorkerJvm.LONG);
    holder.awaitAcquired(order + 1);
    waiter.awaitReady().acquire(order, order + 2, WorkerJvm.LONG);
  }

  private static void getsIn(String order, WorkerJvm waiter, long killed) {
    Figure.within(
        BOUND,
        waiter.awaitAcquired(order + 2).nanos() - killed,
        "kill -9 of a holder (session 3 s, order " + order + "): next grant");
  }

  @Test
  @DisplayName("a holder paused past its session sees the loss at its first look; its claim is old")
  void paused() {
    try (HistoryWriter notes = HistoryWriter.create(folder.resolve("test"), "test");
        WorkerJvm a = worker("a", "any");
        WorkerJvm b = worker("b", "any")) {
      a.awaitReady().acquire("x", "a1", WorkerJvm.LONG);
      WorkerJvm.Grant first = a.awaitAcquired("a1");
      assertThat(a.ask("claim a1", "claimed a1")).endsWith("true");
      b.awaitReady().acquire("x", "b1", WorkerJvm.LONG);
      long paused = a.pause(notes);
      WorkerJvm.Grant second = b.awaitAcquired("b1");
      Figure.within(BOUND, second.nanos() - paused, "SIGSTOP of a holder: next grant");
      assertThat(b.ask("claim b1", "claimed b1")).endsWith("true");
      long resumed = System.nanoTime();
      a.jvm().resume();
      assertThat(a.ask("look a1", "looked a1")).endsWith("false");
      assertThat(a.ask("claim a1", "claimed a1 false")).endsWith("false");
      Figure.within(
          Duration.ofMillis(50), a.awaitLost("a1") - resumed, "SIGCONT of a holder: loss told");
      assertThat(second.token()).isGreaterThan(first.token());
      assertThat(b.ask("release b1", "released b1")).endsWith("RELEASED");
      assertThat(a.ask("release a1", "released a1")).endsWith("LOST");
      a.acquire("x", "a2", WorkerJvm.LONG);
      assertThat(a.awaitAcquired("a2").token())
          .as("in a new session, and nothing of the old one")
          .isGreaterThan(second.token());
    }
    History history = WorkerJvm.history(folder);
    new Overlap().check(history).requireClean(3);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(3);
    new LossNotices().check(history).requireClean(3);
  }
}
