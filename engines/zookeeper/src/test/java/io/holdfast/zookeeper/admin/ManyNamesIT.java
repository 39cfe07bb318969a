package io.holdfast.zookeeper.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.LockEngine;
import io.holdfast.zookeeper.Engines;
import io.holdfast.zookeeper.ZooKeeperEngine;
import io.holdfast.zookeeper.ZooKeeperOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A namespace whose list of names is longer than an answer that ZooKeeper's client usually takes.
 */
@Timeout(120)
class ManyNamesIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String CHROOT = "/many";
  private static final String NAMESPACE = CHROOT + "/holdfast/default";
  private static final int NAMES = 17_000;
  private static final String TAIL = "-of-a-name-that-is-not-so-short".repeat(2);
  private static final int WORDS = 50;
  private static final int USUAL_MOST = 0xfffff;

  private static ZooKeeperServer server;

  /** Through it go the clients that must not lose their connection. */
  private static FaultProxy proxy;

  @BeforeAll
  static void start() throws Exception {
    server = ZooKeeperServer.start();
    proxy = FaultProxy.to(server.process());
    ZooKeeper maker = client(server.port());
    for (String path : List.of(CHROOT, CHROOT + "/holdfast", NAMESPACE)) {
      maker.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }
    Semaphore made = new Semaphore(0);
    for (int i = 0; i < NAMES; i++) {
      maker.create(
          NAMESPACE + "/" + i + TAIL,
          new byte[0],
          ZooDefs.Ids.OPEN_ACL_UNSAFE,
          CreateMode.CONTAINER,
          (rc, path, context, name) -> made.release(),
          null);
    }
    assertThat(made.tryAcquire(NAMES, 60, TimeUnit.SECONDS)).isTrue();
    maker.close();
    assertThat((long) NAMES * (TAIL.length() + 5)).isGreaterThan(USUAL_MOST);
  }

  @AfterAll
  static void stop() {
    proxy.close();
    server.close();
  }

  private static ZooKeeper client(int port) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(
            "127.0.0.1:" + port,
            4_000,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    assertThat(connected.await(20, TimeUnit.SECONDS)).isTrue();
    return client;
  }

  private static String uri() {
    return "zookeeper://127.0.0.1:" + proxy.port() + CHROOT;
  }

  private static List<LineView> list(LockEngine engine, String prefix) throws EngineException {
    return engine.inspector().orElseThrow().list("default", prefix, "", 10);
  }

  @Test
  @DisplayName("all names are listed and swept, and the connection lives on")
  void listedAndSwept() throws Exception {
    try (LockEngine engine = Engines.patient(uri());
        SweepingClient sweeper = new SweepingClient(uri(), 300)) {
      ZooKeeper client = sweeper.client();
      for (int i = 0; i < WORDS; i++) {
        client.create(word(i), new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      }
      long connections = proxy.counts().accepted();
      long start = System.nanoTime();
      assertThat(list(engine, "nobody")).isEmpty();
      Figure.since(start, Duration.ofSeconds(1), NAMES + " names: listed");
      Await.until(
          "a word to nobody is swept",
          LONG,
          () -> {
            sweeper.sweeper.sweep();
            return left(client) < WORDS;
          });
      Figure.since(start, Duration.ofSeconds(5), NAMES + " names: the first of them are swept");
      assertThat(proxy.counts().accepted()).as("connections").isEqualTo(connections + 1);
    }
  }

  private static String word(int name) {
    return NAMESPACE + "/" + name + TAIL + "/v-7";
  }

  private static int left(ZooKeeper client) throws Exception {
    int left = 0;
    for (int i = 0; i < WORDS; i++) {
      left += client.exists(word(i), false) == null ? 0 : 1;
    }
    return left;
  }

  @Test
  @DisplayName("a caller-supplied client keeps its limit: the list is refused, not its connection")
  void handedIn() throws Exception {
    ZooKeeper client = client(proxy.port());
    try (LockEngine engine =
        ZooKeeperEngine.over(client, ZooKeeperOptions.of(uri()), Engines.settings())) {
      long connections = proxy.counts().accepted();
      assertThatThrownBy(() -> list(engine, "nobody"))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("17000 names")
          .hasMessageContaining("jute.maxbuffer");
      assertThat(proxy.counts().accepted()).as("connections").isEqualTo(connections);
    } finally {
      client.close();
    }
  }
}
