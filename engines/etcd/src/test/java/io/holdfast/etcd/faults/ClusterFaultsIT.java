package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.checks.Capacities;
import io.holdfast.rig.checks.Overlap;
import io.holdfast.rig.checks.TokenOrder;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.history.History;
import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.history.TracedHold;
import io.holdfast.rig.servers.EtcdCluster;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.servers.PeerPartition;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Three members, of which some are killed, cut off, or away. */
@Isolated
@Timeout(180)
class ClusterFaultsIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration LEASE = Duration.ofSeconds(4);

  private EtcdCluster cluster;

  @TempDir Path folder;

  @BeforeEach
  void start() {
    cluster = EtcdCluster.start();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private Holdfast connect(int first) {
    return Holdfast.connect(cluster.uriFrom(first) + "?holdfast.lease=4s&holdfast.order=fifo");
  }

  @Test
  @DisplayName(
      "the leader is killed: no hold is lost, and the next waiter is in soon after a release")
  void leaderKilled() throws Exception {
    int leader = cluster.leader();
    try (Holdfast a = connect(leader);
        Holdfast b = connect((leader + 1) % 3)) {
      Hold hold = a.lock("x").acquire(LONG);
      CompletableFuture<Hold> waiting = b.lock("x").acquireAsync(LONG);
      Lines.await(cluster.member((leader + 1) % 3), "x", 2);
      long killed = cluster.member(leader).process().kill9();
      cluster.leaderOtherThan(leader);
      Figure.since(killed, Duration.ofSeconds(3), "leader killed: another one leads");
      long from = System.nanoTime();
      Await.until("a lease", LONG, () -> System.nanoTime() - from > LEASE.toNanos());
      hold.ensureHeld();
      long released = System.nanoTime();
      hold.close();
      Hold next = waiting.get(60, TimeUnit.SECONDS);
      Figure.since(released, Duration.ofMillis(500), "leader killed before: next in");
      assertThat(next.token()).isGreaterThan(hold.token());
      next.close();
    }
  }

  @Test
  @DisplayName("a member is cut off with its client: the holder stops before the waiter is in")
  void followerCut() throws Exception {
    int follower = cluster.follower();
    int leader = cluster.leader();
    String alone = "etcd://127.0.0.1:" + cluster.member(follower).port() + "?holdfast.lease=4s";
    AtomicLong lost = new AtomicLong();
    try (HistoryWriter history = HistoryWriter.create(folder.resolve("h"), "test");
        Holdfast a = Holdfast.connect(alone);
        Holdfast b = Holdfast.connect(cluster.uriFrom(leader) + "?holdfast.lease=4s")) {
      TracedHold held = TracedHold.acquire(a.lock("x"), history.trace("x", "a"), LONG);
      held.hold().onLoss(loss -> lost.set(System.nanoTime()));
      long cutAt = System.nanoTime();
      try (PeerPartition cut = cluster.cutOff(follower)) {
        TracedHold next = TracedHold.acquire(b.lock("x"), history.trace("x", "b"), LONG);
        long in = System.nanoTime();
        assertThat(cut).isNotNull();
        assertThat(held.hold().isHeld()).isFalse();
        Await.until("the loss is told", LONG, () -> lost.get() != 0);
        Figure.print(
            "member cut off (lease 4 s): holder stops after %,d ms, the next is in %,d ms later",
            (lost.get() - cutAt) / 1_000_000, (in - lost.get()) / 1_000_000);
        assertThat(in - lost.get()).as("the gap").isPositive();
        Figure.within(LEASE.plusSeconds(1), in - cutAt, "member cut off: next in");
        next.release();
      }
    }
    History history = WorkerJvm.history(folder);
    new Overlap().check(history).requireClean(2);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(2);
  }

  @Test
  @DisplayName(
      "all members are away and come back: a hold of before is kept or lost, never doubled")
  void allAway() throws Exception {
    try (Holdfast a = connect(0);
        Holdfast b = connect(1)) {
      Hold hold = a.lock("x").acquire(LONG);
      CompletableFuture<Hold> waiting = b.lock("x").acquireAsync(LONG);
      Lines.await(cluster.member(2), "x", 2);
      cluster.members().forEach(member -> member.process().kill9());
      Await.until("the loss", LONG, () -> !hold.isHeld());
      CompletableFuture.allOf(
              cluster.members().stream()
                  .map(EtcdServer::process)
                  .map(process -> CompletableFuture.runAsync(process::restart))
                  .toArray(CompletableFuture<?>[]::new))
          .get(60, TimeUnit.SECONDS);
      long back = System.nanoTime();
      Hold next = waiting.get(60, TimeUnit.SECONDS);
      Figure.since(back, LEASE.plusSeconds(2), "all members away and back: next in");
      assertThat(next.token()).isGreaterThan(hold.token());
      next.close();
    }
  }
}
