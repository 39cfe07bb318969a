package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.redis.RedisEngine;
import io.holdfast.redis.RedisOptions;
import io.holdfast.rig.checks.Capacities;
import io.holdfast.rig.checks.LossNotices;
import io.holdfast.rig.checks.Overlap;
import io.holdfast.rig.checks.TokenOrder;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.history.History;
import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.history.TracedHold;
import io.holdfast.rig.servers.RedisSentinels;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A master that dies with a grant that no replica has heard of. */
@Isolated
@Timeout(90)
class SentinelFailoverIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration QUARANTINE = Duration.ofSeconds(5);

  /** When the master was killed and when another client was in, by {@code nanoTime}. */
  private record Failover(long killed, long granted) {

    long nanos() {
      return granted - killed;
    }
  }

  @TempDir Path folder;

  @Test
  @DisplayName("the default profile: tokens rise over a lost grant, and locking goes on by itself")
  void tokensRise() throws Exception {
    try (RedisSentinels sentinels = RedisSentinels.start();
        HistoryWriter history = HistoryWriter.create(folder.resolve("h"), "test")) {
      String uri = sentinels.uri() + "?holdfast.lease=4s";
      Failover failover = loseTheLastGrant(sentinels, uri, history);
      Figure.within(
          Duration.ofSeconds(30),
          failover.nanos(),
          "kill -9 of the master with a lost grant (Sentinel, lease 4 s): next grant");
    }
    History history = WorkerJvm.history(folder);
    TokenOrder.byRequest(Capacities.mutexes()).check(history).requireClean(3);
    // Not asserted: this profile promises tokens, not exclusion.
    Figure.print(
        "default profile: beliefs that overlapped: %d",
        new Overlap().check(history).violations().size());
  }

  @Test
  @DisplayName("the strict profile: nobody else is in while the lost grant is believed in")
  void noOverlap() throws Exception {
    try (RedisSentinels sentinels = RedisSentinels.start();
        HistoryWriter history = HistoryWriter.create(folder.resolve("h"), "test")) {
      String engine = sentinels.uri() + "?strict=true&quarantine=" + QUARANTINE.toSeconds() + "s";
      int fresh = RedisEngine.init(RedisOptions.of(engine), Duration.ofSeconds(5));
      assertThat(fresh).isEqualTo(4_096);
      RedisServer replica = sentinels.replicas().get(0);
      replica.awaitInSync(sentinels.master());
      CompletableFuture<Long> replicated = lastSeenAsReplica(replica);
      Failover failover = loseTheLastGrant(sentinels, engine + "&holdfast.lease=4s", history);
      Figure.within(
          QUARANTINE.plusSeconds(5),
          failover.nanos(),
          "kill -9 of the master with a lost grant (Sentinel, strict, lease 4 s, quarantine 5 s): next grant");
      long waited = failover.granted() - replicated.get(60, TimeUnit.SECONDS);
      Figure.print("strict: next grant %,d ms after the promotion", waited / 1_000_000);
      // The server counts on its wall clock, which may run a little faster, in whole milliseconds.
      assertThat(Duration.ofNanos(waited)).isGreaterThan(QUARANTINE.minusMillis(10));
    }
    History history = WorkerJvm.history(folder);
    new Overlap().check(history).requireClean(3);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(3);
    new LossNotices(Duration.ofMillis(250)).check(history).requireClean(3);
  }

  /** When the replica was last seen to be one, by {@code nanoTime}: it is promoted after that. */
  private static CompletableFuture<Long> lastSeenAsReplica(RedisServer replica) {
    long[] last = {System.nanoTime()};
    return CompletableFuture.supplyAsync(
        () -> {
          Await.until(
              "promotion",
              LONG,
              () -> {
                long before = System.nanoTime();
                boolean promoted = replica.role().equals("master");
                last[0] = promoted ? last[0] : before;
                return promoted;
              });
          return last[0];
        },
        body -> new Thread(body, "role").start());
  }

  /** The master dies with a grant that no replica has; answers when another client got the lock. */
  private static Failover loseTheLastGrant(
      RedisSentinels sentinels, String uri, HistoryWriter history) throws Exception {
    try (Holdfast a = Holdfast.connect(uri);
        Holdfast b = Holdfast.connect(uri)) {
      a.lock("warm").acquire(LONG).close();
      b.lock("warm").acquire(LONG).close();
      sentinels.loseReplication();
      TracedHold lost = TracedHold.acquire(a.lock("new"), history.trace("new", "a"), LONG);
      CompletableFuture<Long> told = new CompletableFuture<>();
      lost.hold().onLoss(loss -> told.complete(System.nanoTime()));
      CompletableFuture<TracedHold> next = new CompletableFuture<>();
      new Thread(() -> acquire(b, history, next), "b").start();
      CompletableFuture<Void> looks =
          CompletableFuture.runAsync(
              () -> Await.until("loss", LONG, () -> !lost.look()),
              body -> new Thread(body, "looker").start());

      long killed = System.nanoTime();
      sentinels.failover();
      TracedHold granted = next.get(60, TimeUnit.SECONDS);
      Failover failover = new Failover(killed, System.nanoTime());
      Figure.print("loss of the grant told after %,d ms", (told.get() - killed) / 1_000_000);
      looks.get(60, TimeUnit.SECONDS);
      assertThat(granted.hold().token()).isGreaterThan(lost.hold().token());
      granted.release();
      try (Hold again = a.lock("another").acquire(LONG)) {
        assertThat(again.isHeld()).isTrue();
      }
      TracedHold third = TracedHold.acquire(a.lock("new"), history.trace("new", "c"), LONG);
      assertThat(third.hold().token()).isGreaterThan(granted.hold().token());
      third.release();
      return failover;
    }
  }

  private static void acquire(
      Holdfast client, HistoryWriter history, CompletableFuture<TracedHold> next) {
    try {
      next.complete(TracedHold.acquire(client.lock("new"), history.trace("new", "b"), LONG));
    } catch (InterruptedException | RuntimeException e) {
      next.completeExceptionally(e);
    }
  }
}
