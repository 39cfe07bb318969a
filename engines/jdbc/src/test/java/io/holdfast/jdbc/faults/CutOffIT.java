package io.holdfast.jdbc.faults;

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
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that is cut off from its database while it holds and while it waits. */
@Timeout(120)
class CutOffIT {

  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration LONG = Duration.ofSeconds(30);

  /** How networks fail. */
  private enum Trouble {
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
  @EnumSource
  @DisplayName("waits end in time, the holder is told before a rival is in, and it heals by itself")
  void cutOff(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        FaultProxy proxy = FaultProxy.to(server.process());
        HistoryWriter history = HistoryWriter.create(folder.resolve("h"), "test");
        Holdfast rival = Holdfast.connect(server.uri());
        Holdfast victim = Holdfast.connect(server.uri(proxy.port()))) {
      for (Trouble errorKind : Trouble.values()) {
        cutOff(kind + ", " + errorKind, errorKind, proxy, new Pair(victim, rival, history));
      }
      ended(server, rival, victim);
    }
    new Overlap().check(WorkerJvm.history(folder)).requireClean(6);
    new LossNotices(Duration.ofMillis(250)).check(WorkerJvm.history(folder)).requireClean(6);
  }

  private record Pair(Holdfast victim, Holdfast rival, HistoryWriter history) {}

  private static void cutOff(String what, Trouble errorKind, FaultProxy proxy, Pair pair)
      throws Exception {
    String name = errorKind.name();
    TracedHold held =
        TracedHold.acquire(
            pair.victim.lock(name), pair.history.trace(name, "victim" + errorKind), LEASE);
    CompletableFuture<Long> told = new CompletableFuture<>();
    held.hold().onLoss(loss -> told.complete(System.nanoTime()));
    CompletableFuture<TracedHold> next = new CompletableFuture<>();
    new Thread(() -> acquire(pair, name, next), "rival").start();
    Await.until("a rival that waits", LONG, () -> pair.rival.health().waiting() == 1);

    long cut = System.nanoTime();
    errorKind.begin(proxy);
    held.look();
    Figure.within(Duration.ofMillis(800), refused(pair.victim), what + ": acquire(700 ms) ended");
    Figure.within(LEASE, told.get(30, TimeUnit.SECONDS) - cut, what + ": loss told (lease 2 s)");
    Hold rivals = next.get(30, TimeUnit.SECONDS).hold();
    assertThat(rivals.token()).isGreaterThan(held.hold().token());
    assertThat(held.hold().isHeld()).isFalse();
    next.get().release();

    long healed = System.nanoTime();
    proxy.heal();
    Hold again = pair.victim.lock(name).acquire(LONG);
    Figure.within(Duration.ofSeconds(1), System.nanoTime() - healed, what + " healed: next grant");
    assertThat(again.token()).isGreaterThan(rivals.token());
    again.close();
  }

  private static void acquire(Pair pair, String name, CompletableFuture<TracedHold> next) {
    try {
      next.complete(
          TracedHold.acquire(
              pair.rival.lock(name), pair.history.trace(name, "rival" + name), LONG));
    } catch (InterruptedException | RuntimeException e) {
      next.completeExceptionally(e);
    }
  }

  /** How long it takes to be told that there was the store did not reply. */
  private static long refused(Holdfast victim) {
    long start = System.nanoTime();
    Throwable end = catchThrowable(() -> victim.lock("y").acquire(Duration.ofMillis(700)));
    long took = System.nanoTime() - start;
    assertThat(end).isInstanceOfAny(StoreUnavailableException.class, OutcomeUnknownException.class);
    return took;
  }

  /** Connections that an administrator ends cost neither a hold nor a wait. */
  private static void ended(Server server, Holdfast mine, Holdfast theirs) throws Exception {
    Hold held = mine.lock("held").acquire(LONG);
    for (int i = 0; i < 3; i++) {
      Hold hold = mine.lock("x").acquire(LONG);
      CompletableFuture<Hold> waits = theirs.lock("x").acquireAsync(LONG);
      int connections = server.endConnections();
      long ended = System.nanoTime();
      hold.release();
      Hold next = waits.get(30, TimeUnit.SECONDS);
      Figure.within(
          Duration.ofSeconds(1),
          System.nanoTime() - ended,
          server + ": " + connections + " connections ended: next grant");
      assertThat(next.token()).isGreaterThan(hold.token());
      next.release();
      held.ensureHeld();
    }
    held.release();
  }
}
