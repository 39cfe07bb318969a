package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Waiters that give up while the store is away for longer than anybody tries to leave it. */
@Isolated
@Timeout(60)
class U15OutageIT {

  private static final int LOCKS = 50;
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String OPTIONS = "?holdfast.lease=2s&holdfast.operationTimeout=200ms";

  @Test
  @DisplayName("after a long outage nothing is left of those who waited before it")
  void nothingIsLeft() throws Exception {
    try (RedisServer server = RedisServer.start();
        FaultProxy proxy = FaultProxy.to(server.process());
        Holdfast holder = Holdfast.connect(server.uri() + OPTIONS);
        Holdfast waiter = Holdfast.connect("redis://127.0.0.1:" + proxy.port() + OPTIONS)) {
      List<CompletableFuture<Hold>> waits = new ArrayList<>();
      List<Hold> holds = new ArrayList<>();
      for (int i = 0; i < LOCKS; i++) {
        Order order = i % 2 == 0 ? Order.ANY : Order.FIFO;
        holds.add(holder.with(o -> o.withOrder(order)).lock("n" + i).acquire(LONG));
        waits.add(
            waiter.with(o -> o.withOrder(order)).lock("n" + i).acquireAsync(Duration.ofSeconds(1)));
      }
      Await.until("all wait", LONG, () -> waiters(waiter) == LOCKS);
      proxy.cut();
      long cut = System.nanoTime();
      Await.until("all gave up", LONG, () -> waits.stream().allMatch(CompletableFuture::isDone));
      // The leaver tries for a lease and an operation timeout.
      Await.until("4 s", LONG, () -> System.nanoTime() - cut > 4_000_000_000L);
      holds.forEach(Hold::close);
      StoredKeys.awaitNone(server, Duration.ofSeconds(3));
      proxy.heal();
      try (Hold hold = waiter.lock("after").acquire(LONG)) {
        assertThat(hold.isHeld()).isTrue();
      }
      Await.until("no waiters", Duration.ofSeconds(10), () -> waiters(waiter) == 0);
      Figure.print("%d waiters gave up in an outage of 4 s: %d bells left", LOCKS, waiters(waiter));
    }
  }

  private static long waiters(Holdfast client) {
    return client.health().counters().get("signals.waiters");
  }
}
