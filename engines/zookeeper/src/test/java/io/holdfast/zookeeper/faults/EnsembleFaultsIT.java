package io.holdfast.zookeeper.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.Outcome;
import io.holdfast.rig.servers.ZooKeeperEnsemble;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three servers, of which some are killed or cut off. */
@Timeout(180)
class EnsembleFaultsIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration LEASE = Duration.ofSeconds(3);

  private static ZooKeeperEnsemble ensemble;

  @BeforeAll
  static void start() {
    ensemble = ZooKeeperEnsemble.start();
  }

  @AfterAll
  static void stop() {
    ensemble.close();
  }

  @AfterEach
  void whole() {
    ensemble.members().stream()
        .filter(member -> !member.process().isRunning())
        .forEach(member -> member.process().restart());
    ensemble.awaitAll();
  }

  private static Holdfast at(String hosts) {
    return Holdfast.connect("zookeeper://" + hosts + "/faults?holdfast.lease=3s");
  }

  @Test
  @DisplayName("u01 a holder whose server is cut off stops believing before the waiter is in")
  void followerCut() throws Exception {
    ZooKeeperServer follower = ensemble.follower();
    ZooKeeperServer leader = ensemble.awaitLeader();
    try (Holdfast holder = at(follower.address());
        Holdfast waiter = at(leader.address())) {
      Hold hold = holder.lock("cut").acquire(LONG);
      CompletableFuture<Long> told = new CompletableFuture<>();
      hold.onLoss(loss -> told.complete(System.nanoTime()));
      CompletableFuture<Hold> next = waiter.lock("cut").acquireAsync(LONG);
      Await.until("one waits", LONG, () -> waiter.health().waiting() == 1);
      long cut = System.nanoTime();
      ensemble.cutOff(follower);
      Hold second = next.get(60, TimeUnit.SECONDS);
      long in = System.nanoTime();
      assertThat(hold.isHeld()).as("believed when the waiter was in").isFalse();
      long lost = told.get(10, TimeUnit.SECONDS);
      Figure.print(
          "follower cut off (session 3 s): the holder stopped believing after %,d ms, the waiter"
              + " was in after %,d ms: %,d ms between",
          millis(lost - cut), millis(in - cut), millis(in - lost));
      assertThat(in - lost).isPositive();
      assertThat(second.token()).isGreaterThan(hold.token());
      assertThat(hold.release()).isEqualTo(Outcome.LOST);
      second.release();
    } finally {
      ensemble.heal(follower);
    }
  }

  @Test
  @DisplayName("a leader that is killed: no two believe at once, and tokens go on rising")
  void leaderKilled() throws Exception {
    ZooKeeperServer leader = ensemble.awaitLeader();
    try (Holdfast one = at(ensemble.addresses());
        Holdfast two = at(ensemble.addresses())) {
      Hold hold = one.lock("leader").acquire(LONG);
      CompletableFuture<Hold> next = two.lock("leader").acquireAsync(LONG);
      Await.until("one waits", LONG, () -> two.health().waiting() == 1);
      long killed = leader.process().kill9();
      ZooKeeperServer other = ensemble.awaitLeader();
      Figure.since(killed, Duration.ofSeconds(5), "leader killed: another leads");
      assertThat(other).isNotEqualTo(leader);
      Hold fresh = one.lock("fresh").acquire(LONG);
      Figure.since(killed, Duration.ofSeconds(6), "leader killed: a new lock granted");
      // Its session may have ended while nobody led: then it is lost, and says so.
      boolean in = next.isDone();
      boolean kept = hold.isHeld();
      assertThat(in && kept).as("believed when the waiter was in").isFalse();
      Outcome outcome = hold.release();
      Figure.print("leader killed: the hold was %s", outcome == Outcome.LOST ? "lost" : "kept");
      assertThat(outcome).isIn(Outcome.LOST, kept ? Outcome.RELEASED : Outcome.LOST);
      Hold second = next.get(60, TimeUnit.SECONDS);
      assertThat(second.token()).isGreaterThan(hold.token());
      assertThat(fresh.token()).isGreaterThan(hold.token());
      second.release();
      fresh.release();
    }
  }

  @Test
  @DisplayName("all servers away and back: who held is told, and clients go on by themselves")
  void allAway() throws Exception {
    try (Holdfast one = at(ensemble.addresses());
        Holdfast two = at(ensemble.addresses())) {
      Hold hold = one.lock("away").acquire(LONG);
      CompletableFuture<Long> told = new CompletableFuture<>();
      hold.onLoss(loss -> told.complete(System.nanoTime()));
      CompletableFuture<Hold> next = two.lock("away").acquireAsync(LONG);
      Await.until("one waits", LONG, () -> two.health().waiting() == 1);
      long gone = System.nanoTime();
      ensemble.members().forEach(member -> member.process().kill9());
      Figure.within(LEASE, told.get(60, TimeUnit.SECONDS) - gone, "all killed: loss told");
      assertThat(hold.isHeld()).isFalse();
      long back = System.nanoTime();
      ensemble.members().forEach(member -> member.process().restart());
      ensemble.awaitLeader();
      Hold second = next.get(60, TimeUnit.SECONDS);
      Figure.since(back, LEASE.plusSeconds(6), "all back: the one that waited is in");
      assertThat(second.token()).isGreaterThan(hold.token());
      second.release();
    }
  }

  private static long millis(long nanos) {
    return nanos / 1_000_000;
  }
}
