package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.checks.LossNotices;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.history.TracedHold;
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

/** A server that stands still. */
@Isolated
@Timeout(60)
class FrozenServerIT {

  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path folder;

  @Test
  @DisplayName("a server that stands still for less than the lease costs nobody a hold")
  void shorterThanTheLease() throws InterruptedException {
    try (RedisServer server = RedisServer.start();
        Holdfast holdfast = Holdfast.connect(server.uri() + "?holdfast.lease=4s")) {
      Hold hold = holdfast.lock("x").acquire(LONG);
      long frozen = System.nanoTime();
      server.process().pause();
      // Looks only; the last renewal is at most 1.5 s old, so the deadline is 2.2 s away.
      Await.until("1.2 s", LONG, () -> System.nanoTime() - frozen > 1_200_000_000L);
      assertThat(hold.isHeld()).isTrue();
      Duration before = hold.remaining();
      server.process().resume();
      long resumed = System.nanoTime();
      Await.until("a renewal", LONG, () -> hold.remaining().compareTo(before.plusMillis(500)) > 0);
      Figure.within(
          Duration.ofSeconds(1),
          System.nanoTime() - resumed,
          "server stood still for 1.2 s (lease 4 s): hold kept, renewed");
      assertThat(hold.isHeld()).isTrue();
      hold.close();
    }
  }

  @Test
  @DisplayName("a server that stands still for more than the lease costs the hold, told in time")
  void longerThanTheLease() throws Exception {
    try (RedisServer server = RedisServer.start();
        HistoryWriter history = HistoryWriter.create(folder.resolve("h"), "test");
        Holdfast a = Holdfast.connect(server.uri() + "?holdfast.lease=2s");
        Holdfast b = Holdfast.connect(server.uri() + "?holdfast.lease=2s")) {
      TracedHold held = TracedHold.acquire(a.lock("x"), history.trace("x", "a"), LONG);
      CompletableFuture<Long> told = new CompletableFuture<>();
      held.hold().onLoss(loss -> told.complete(System.nanoTime()));
      CompletableFuture<Hold> next = b.lock("x").acquireAsync(LONG);

      long frozen = System.nanoTime();
      server.process().pause();
      held.look();
      long lost = told.get(30, TimeUnit.SECONDS);
      Figure.within(
          Duration.ofSeconds(2), lost - frozen, "server stands still (lease 2 s): loss told");
      Await.until("2.5 s", LONG, () -> System.nanoTime() - frozen > 2_500_000_000L);
      // Told, and the rival is not in yet.
      assertThat(next).isNotDone();
      long resumed = System.nanoTime();
      server.process().resume();

      Hold rival = next.get(30, TimeUnit.SECONDS);
      Figure.within(
          Duration.ofSeconds(3),
          System.nanoTime() - resumed,
          "server stood still for 2.5 s (lease 2 s): next grant");
      assertThat(rival.token()).isGreaterThan(held.hold().token());
      assertThat(held.hold().isHeld()).isFalse();
      rival.close();
      StoredKeys.awaitNone(server, LONG);
    }
    new LossNotices(Duration.ofMillis(250)).check(WorkerJvm.history(folder)).requireClean(1);
  }
}
