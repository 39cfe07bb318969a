package io.holdfast.zookeeper.signals;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Loss;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.Verdict;
import io.holdfast.spi.Resource;
import io.holdfast.zookeeper.EngineInternals;
import io.holdfast.zookeeper.Engines;
import io.holdfast.zookeeper.ZooKeeperEngine;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How soon a holder learns that its record was changed. */
@Timeout(120)
class HeldSignalIT {

  private static final Duration LONG = Duration.ofSeconds(60);

  /** Long: the next renewal would be ten seconds after the grant. */
  private static final Duration LEASE = Duration.ofSeconds(30);

  private static final Duration BOUND = Duration.ofMillis(300);

  private static ZooKeeperServer server;

  @BeforeAll
  static void start() {
    server = ZooKeeperServer.start(ZooKeeperServerOptions.PLAIN.withTick(Duration.ofMillis(1_500)));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void change(ZooKeeperEngine other, Resource resource, long token, String how)
      throws Exception {
    EngineInspector inspector = other.inspector().orElseThrow();
    switch (how) {
      case "revoke" ->
          assertThat(inspector.revoke(resource, token, "test")).isEqualTo(Verdict.DONE);
      case "evict" -> assertThat(inspector.evict(resource, token, "test")).isEqualTo(Verdict.DONE);
      default -> {
        ZooKeeper client = EngineInternals.sessions(other).require().connection().client();
        String line = "/told/holdfast/default/" + resource.name();
        client.delete(line + "/" + client.getChildren(line, false).get(0), -1);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "revoke, mutex, 0", "revoke, mutex, 1", "revoke, writer, 1", "revoke, permit, 1",
    "evict, mutex, 0", "evict, mutex, 1", "delete, mutex, 0", "delete, mutex, 1"
  })
  @DisplayName("revoke, evict and a deletion by hand are told at once, not at the next renewal")
  void toldAtOnce(String how, String kind, int seconds) throws Exception {
    Resource resource = new Resource("default", how + "-" + kind + "-" + seconds);
    HoldfastOptions options = HoldfastOptions.DEFAULTS.withLease(LEASE);
    try (Holdfast holdfast = Holdfast.open(Engines.open(server.uri() + "/told", LEASE), options);
        ZooKeeperEngine other = Engines.open(server.uri() + "/told", LEASE)) {
      other.inspector().orElseThrow().show(resource);
      Hold hold =
          switch (kind) {
            case "writer" -> holdfast.readWriteLock(resource.name()).writeLock().acquire(LONG);
            case "permit" -> holdfast.semaphore(resource.name(), 1).acquire(LONG);
            default -> holdfast.lock(resource.name()).acquire(LONG);
          };
      long in = System.nanoTime();
      CompletableFuture<Long> told = new CompletableFuture<>();
      CompletableFuture<Loss> loss = new CompletableFuture<>();
      hold.onLoss(
          what -> {
            told.complete(System.nanoTime());
            loss.complete(what);
          });
      Await.until("it is held for so long", LONG, () -> System.nanoTime() - in >= seconds * 1e9);
      change(other, resource, hold.token(), how);
      long changed = System.nanoTime();
      Figure.within(
          BOUND,
          told.get(60, TimeUnit.SECONDS) - changed,
          how + " of a " + kind + " held for " + seconds + " s (lease 30 s): loss told");
      assertThat(loss.get(60, TimeUnit.SECONDS).cause())
          .isEqualTo(how.equals("delete") ? Loss.Cause.TAKEN : Loss.Cause.REVOKED);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("what happened while the holder was cut off is told when it is connected again")
  void whileCutOff(boolean watched) throws Exception {
    Resource resource = new Resource("default", "cut-" + watched);
    HoldfastOptions options = HoldfastOptions.DEFAULTS.withLease(LEASE);
    try (FaultProxy proxy = FaultProxy.to(server.process());
        ZooKeeperEngine behind =
            Engines.open("zookeeper://127.0.0.1:" + proxy.port() + "/told", LEASE);
        Holdfast holdfast = Holdfast.open(behind, options);
        ZooKeeperEngine other = Engines.open(server.uri() + "/told", LEASE)) {
      holdfast.lock("warm").acquire(LONG).close();
      other.inspector().orElseThrow().show(resource);
      Hold hold = holdfast.lock(resource.name()).acquire(LONG);
      long in = System.nanoTime();
      CompletableFuture<Long> told = new CompletableFuture<>();
      hold.onLoss(what -> told.complete(System.nanoTime()));
      if (watched) {
        Await.until("it is watched", LONG, () -> System.nanoTime() - in >= 1e9);
      }
      proxy.cut();
      Await.until("it is cut off", LONG, () -> !isConnected(behind));
      // Long enough that a watch which is set now has failed.
      long cut = System.nanoTime();
      Await.until("a moment", LONG, () -> System.nanoTime() - cut >= 3e8);
      change(other, resource, hold.token(), "delete");
      proxy.heal();
      Await.until("it is back", LONG, () -> isConnected(behind));
      long back = System.nanoTime();
      Figure.within(
          Duration.ofMillis(800),
          told.get(60, TimeUnit.SECONDS) - back,
          (watched ? "a watched" : "a new") + " node deleted while cut off: told");
    }
  }

  private static boolean isConnected(ZooKeeperEngine engine) {
    return EngineInternals.sessions(engine).peek().isConnected();
  }
}
