package io.holdfast.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.HoldfastOptions;
import io.holdfast.rig.proxy.Direction;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.proxy.ProxyFault;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.tck.FaultyEngine;
import io.holdfast.zookeeper.EngineInternals;
import io.holdfast.zookeeper.Engines;
import io.holdfast.zookeeper.ZooKeeperEngine;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A first connection that takes about as long as a lease, or longer. */
@Timeout(120)
class LateConnectionIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration LEASE = Engines.LEASE;

  private static ZooKeeperServer server;

  @BeforeAll
  static void start() throws Exception {
    server = ZooKeeperServer.start();
    Engines.warmUp(server.uri());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** A client behind a proxy. */
  private record Client(Holdfast holdfast, ZooKeeperEngine engine, FaultyEngine asked)
      implements AutoCloseable {

    static Client open(FaultProxy proxy) {
      ZooKeeperEngine engine =
          (ZooKeeperEngine) Engines.open("zookeeper://127.0.0.1:" + proxy.port() + "/late");
      FaultyEngine counting = FaultyEngine.over(engine);
      HoldfastOptions options = HoldfastOptions.DEFAULTS.withLease(LEASE);
      return new Client(Holdfast.open(counting, options), engine, counting);
    }

    @Override
    public void close() {
      holdfast.close();
    }
  }

  private static void pass(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    Await.until("time passes", LONG.plus(time), () -> System.nanoTime() - end > 0);
  }

  @Test
  @DisplayName(
      "servers that come up more than a lease after the client: whoever waits is in at once")
  void serversCameLate() throws Exception {
    try (FaultProxy proxy = FaultProxy.to(server.process())) {
      proxy.cut();
      try (Client client = Client.open(proxy)) {
        CompletableFuture<Hold> waiting = client.holdfast.lock("x").acquireAsync(LONG);
        pass(LEASE.multipliedBy(5).dividedBy(4));
        proxy.heal();
        Await.until(
            "a session", LONG, () -> EngineInternals.sessions(client.engine).peek() != null);
        long opened = System.nanoTime();
        Hold hold = waiting.get(30, TimeUnit.SECONDS);
        Figure.since(opened, Duration.ofMillis(40), "servers up after 1.25 leases: in");
        asked(client, "servers up after 1.25 leases");
        hold.ensureHeld();
        hold.release();
      }
    }
  }

  @Test
  @DisplayName("a session whose answer took most of its time is proven before it is believed in")
  void answerCameLate() throws Exception {
    try (FaultProxy proxy = FaultProxy.to(server.process())) {
      proxy.apply(Direction.REPLIES, new ProxyFault.Hold());
      try (Client client = Client.open(proxy)) {
        CompletableFuture<Hold> waiting = client.holdfast.lock("y").acquireAsync(LONG);
        pass(LEASE.multipliedBy(19).dividedBy(20));
        proxy.heal();
        Await.until(
            "a session", LONG, () -> EngineInternals.sessions(client.engine).peek() != null);
        long opened = System.nanoTime();
        Hold hold = waiting.get(30, TimeUnit.SECONDS);
        Figure.since(opened, LEASE.dividedBy(4), "a session that came after 0.95 leases: in");
        asked(client, "a session that came after 0.95 leases");
        hold.ensureHeld();
        hold.release();
      }
    }
  }

  @Test
  @DisplayName("a connection that came when nobody waited any more is as good as another")
  void nobodyWaited() throws Exception {
    try (FaultProxy proxy = FaultProxy.to(server.process())) {
      proxy.cut();
      try (Client client = Client.open(proxy)) {
        assertThatThrownBy(() -> client.holdfast.lock("z").acquire(Duration.ofMillis(500)))
            .isInstanceOf(HoldfastException.class);
        // Its attempt waits for a connection for a while yet.
        pass(Engines.settings().operationTimeout().plusMillis(200));
        long before = proxy.counts().accepted();
        proxy.heal();
        Await.until("a connection", LONG, () -> proxy.counts().accepted() > before);
        pass(LEASE.multipliedBy(5).dividedBy(4));
        long asked = System.nanoTime();
        try (Hold hold = client.holdfast.lock("z").acquire(LEASE.dividedBy(12))) {
          Figure.since(asked, Duration.ofMillis(100), "connected 1.25 leases before: in");
          hold.ensureHeld();
        }
      }
    }
  }

  private static void asked(Client client, String when) {
    int verbs = client.asked.reached().size();
    Figure.print("%s: %,d verbs until it was in (bound 40)", when, verbs);
    assertThat(verbs).isLessThan(40);
  }
}
