package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.rig.checks.LossNotices;
import io.holdfast.rig.checks.Overlap;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.history.TracedHold;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that is cut off from its server while it holds and while it waits. */
@Isolated
@Timeout(60)
class CutOffIT {

  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration LONG = Duration.ofSeconds(30);

  /** How networks fail. */
  enum Trouble {
    CUT,
    HALF_OPEN,
    PARTITION;

    void begin(FaultProxy proxy) {
      switch (this) {
        case CUT -> proxy.cut();
        case HALF_OPEN -> proxy.blackHole();
        case PARTITION -> proxy.hold();
      }
    }
  }

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Trouble.class)
  @DisplayName("waits end in time, the holder is told before a rival is in, and it heals by itself")
  void cutOff(Trouble trouble) throws Exception {
    try (RedisServer server = RedisServer.start();
        FaultProxy proxy = FaultProxy.to(server.process());
        HistoryWriter history = HistoryWriter.create(folder.resolve("h"), "test");
        Holdfast rival = Holdfast.connect(server.uri() + "?holdfast.lease=2s");
        Holdfast victim =
            Holdfast.connect("redis://127.0.0.1:" + proxy.port() + "?holdfast.lease=2s")) {
      TracedHold held = TracedHold.acquire(victim.lock("x"), history.trace("x", "victim"), LEASE);
      CompletableFuture<Long> told = new CompletableFuture<>();
      held.hold().onLoss(loss -> told.complete(System.nanoTime()));
      CompletableFuture<TracedHold> next = new CompletableFuture<>();
      Thread waiter = new Thread(() -> acquire(rival, history, next), "rival");
      waiter.start();
      Await.until("a rival in line", LONG, () -> StoredKeys.count(server, "w") == 1);

      long cut = System.nanoTime();
      trouble.begin(proxy);
      held.look();
      long took = refused(victim, Duration.ofMillis(700));

      Figure.within(Duration.ofMillis(800), took, trouble + ": acquire(700 ms) ended");
      long lost = told.get(30, TimeUnit.SECONDS);
      Figure.within(LEASE, lost - cut, trouble + ": loss told (lease 2 s)");
      Hold rivals = next.get(30, TimeUnit.SECONDS).hold();
      assertThat(rivals.token()).isGreaterThan(held.hold().token());
      assertThat(held.hold().isHeld()).isFalse();
      next.get().release();

      long healed = System.nanoTime();
      proxy.heal();
      Hold again = victim.lock("x").acquire(LONG);
      Figure.within(
          Duration.ofSeconds(1), System.nanoTime() - healed, trouble + " healed: next grant");
      assertThat(again.token()).isGreaterThan(rivals.token());
      again.close();
      StoredKeys.awaitNone(server, LONG);
    }
    new Overlap().check(WorkerJvm.history(folder)).requireClean(2);
    new LossNotices(Duration.ofMillis(250)).check(WorkerJvm.history(folder)).requireClean(2);
  }

  private static void acquire(
      Holdfast rival, HistoryWriter history, CompletableFuture<TracedHold> next) {
    try {
      next.complete(TracedHold.acquire(rival.lock("x"), history.trace("x", "rival"), LONG));
    } catch (InterruptedException | RuntimeException e) {
      next.completeExceptionally(e);
    }
  }

  /** How long it takes to be told that there was the store did not reply. */
  private static long refused(Holdfast victim, Duration wait) {
    long start = System.nanoTime();
    Throwable end = catchThrowable(() -> victim.lock("y").acquire(wait));
    long took = System.nanoTime() - start;
    assertThat(end).isInstanceOfAny(StoreUnavailableException.class, OutcomeUnknownException.class);
    return took;
  }
}
