package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Loss;
import io.holdfast.rig.Await;
import io.holdfast.rig.Figure;
import io.holdfast.rig.ZooKeeperOptions;
import io.holdfast.rig.ZooKeeperServer;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.Verdict;
import io.holdfast.spi.Resource;
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
    server = ZooKeeperServer.start(ZooKeeperOptions.PLAIN.withTick(Duration.ofMillis(1_500)));
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
        ZooKeeper client = other.sessions().require().wire().client();
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
}
