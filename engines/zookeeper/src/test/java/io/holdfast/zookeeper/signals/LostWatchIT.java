package io.holdfast.zookeeper.signals;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
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

/** A release that the connection of the one that waits does not tell. */
@Timeout(120)
class LostWatchIT {

  private static final Duration LONG = Duration.ofSeconds(30);

  /** Outlasts the time that ZooKeeper's client takes to reconnect. */
  private static final Duration LEASE = Duration.ofSeconds(6);

  private static ZooKeeperServer server;

  @BeforeAll
  static void start() {
    server = ZooKeeperServer.start(ZooKeeperServerOptions.PLAIN.withTick(Duration.ofMillis(400)));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static ZooKeeperEngine engine(int port) {
    return Engines.open("zookeeper://127.0.0.1:" + port + "/watch", LEASE);
  }

  private static Holdfast over(ZooKeeperEngine engine) {
    return Holdfast.open(engine, HoldfastOptions.DEFAULTS.withLease(LEASE));
  }

  private static boolean isConnected(ZooKeeperEngine engine) {
    return EngineInternals.sessions(engine).peek().isConnected();
  }

  @Test
  @DisplayName("u14 one that was cut off when the holder released is in soon after it is back")
  void releasedMeanwhile() throws Exception {
    try (FaultProxy proxy = FaultProxy.to(server.process())) {
      ZooKeeperEngine behind = engine(proxy.port());
      try (Holdfast near = over(engine(server.port()));
          Holdfast far = over(behind)) {
        for (String name : new String[] {"one", "two", "three"}) {
          far.lock("warm").acquire(LONG).close();
          long session = EngineInternals.sessions(behind).peek().id();
          Hold hold = near.lock(name).acquire(LONG);
          CompletableFuture<Hold> next = far.lock(name).acquireAsync(LONG);
          Await.until("it waits", LONG, () -> far.health().waiting() == 1);
          proxy.cut();
          Await.until("it is cut off", LONG, () -> !isConnected(behind));
          hold.release();
          assertThat(next).isNotDone();
          proxy.heal();
          Await.until("it is back", LONG, () -> isConnected(behind));
          long back = System.nanoTime();
          next.get(30, TimeUnit.SECONDS).close();
          boolean same = EngineInternals.sessions(behind).peek().id() == session;
          Figure.since(
              back,
              Duration.ofSeconds(1),
              "released while the next was cut off, "
                  + (same ? "same" : "new")
                  + " session: in after it was back");
        }
      }
    }
  }
}
