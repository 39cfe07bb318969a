package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.proxy.Direction;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.rig.time.LongRun;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** The store is unreachable for a while, and a waiter is there for all of it. */
@Isolated
@Timeout(300)
class OutageIT {

  private static final Duration LONG = Duration.ofMinutes(4);

  /** By then gRPC by itself pauses for six seconds between tries; after 150 s for two minutes. */
  private static final Duration OUTAGE = Duration.ofSeconds(LongRun.of(20, 150));

  /** How often a waiter tries, and how late it is then. */
  private static final Duration OFTEN = Duration.ofMillis(800);

  @Test
  @DisplayName("after an outage a waiter is in soon, however long the outage took")
  void back() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        FaultProxy proxy = FaultProxy.to(server.process());
        Holdfast waiter =
            Holdfast.connect("etcd://127.0.0.1:" + proxy.port() + "?holdfast.lease=6s");
        Holdfast holder = Holdfast.connect(server.uri() + "?holdfast.lease=6s")) {
      Hold hold = holder.lock("x").acquire(LONG);
      CompletableFuture<Hold> waiting = waiter.lock("x").acquireAsync(LONG);
      Lines.await(server, "x", 2);
      // Connections are accepted, and end with their first byte: so the tries can be counted.
      long before = proxy.counts().accepted();
      proxy.truncate(Direction.REQUESTS, 0);
      // Over the connection of before, a watch could still tell that the holder has left.
      Await.until("a new connection", LONG, () -> proxy.counts().accepted() > before);
      long cut = System.nanoTime();
      hold.close();
      long[] pause = {0, cut, proxy.counts().accepted()};
      Await.until(
          "an outage",
          LONG,
          () -> {
            long now = System.nanoTime();
            pause[0] = Math.max(pause[0], now - pause[1]);
            if (proxy.counts().accepted() > pause[2]) {
              pause[1] = now;
              pause[2] = proxy.counts().accepted();
            }
            return now - cut > OUTAGE.toNanos();
          });
      Figure.within(
          OFTEN,
          pause[0],
          "unreachable for %d s: the longest pause between tries".formatted(OUTAGE.toSeconds()));
      assertThat(waiting).isNotDone();
      proxy.heal();
      long back = System.nanoTime();
      waiting.get(4, TimeUnit.MINUTES).close();
      Figure.since(
          back, OFTEN, "unreachable for %d s: the waiter is in".formatted(OUTAGE.toSeconds()));
    }
  }
}
