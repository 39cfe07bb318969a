package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.HoldfastOptions;
import io.holdfast.StaleTokenException;
import io.holdfast.rig.proxy.Direction;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What programs do to the store, and what stays there. */
@Timeout(120)
class StoreSideIT {

  private static final Duration LONG = Duration.ofSeconds(30);

  private static ZooKeeperServer server;

  private ZooKeeper browser;

  @BeforeAll
  static void start() {
    server = ZooKeeperServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void look() throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    browser =
        new ZooKeeper(
            server.address(),
            4_000,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    assertThat(connected.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @AfterEach
  void end() throws Exception {
    browser.close();
  }

  private static Holdfast at(String address, String chroot) {
    return Holdfast.connect("zookeeper://" + address + chroot + "?holdfast.lease=3s");
  }

  @Test
  @DisplayName("u31 names that were used once leave nothing behind")
  void noResidue() throws Exception {
    String namespace = "/residue/holdfast/default";
    try (Holdfast holdfast = at(server.address(), "/residue")) {
      for (int i = 0; i < 200; i++) {
        holdfast.lock("once/" + i).acquire(LONG).close();
      }
      holdfast.semaphore("permits", 2).acquire(LONG).close();
      assertThat(browser.getChildren(namespace, false)).isNotEmpty();
      long start = System.nanoTime();
      // The rig's servers look for empty containers each second; the usual is a minute.
      Await.until("no names", LONG, () -> browser.getChildren(namespace, false).isEmpty());
      Figure.since(start, Duration.ofSeconds(5), "201 names used once: gone");
    }
    Await.until(
        "no clients",
        LONG,
        () -> browser.getChildren("/residue/holdfast/~clients", false).isEmpty());
  }

  @Test
  @DisplayName("u04 an acquire that gave up while cut off leaves no node, now or later")
  void noOrphan() throws Exception {
    try (FaultProxy proxy = FaultProxy.to(server.process());
        Holdfast cut = at("127.0.0.1:" + proxy.port(), "/orphan");
        Holdfast other = at(server.address(), "/orphan")) {
      cut.lock("warm").acquire(LONG).close();
      // What is sent arrives, and nothing comes back.
      proxy.passOnly(Direction.REQUESTS);
      assertThatThrownBy(() -> cut.lock("x").acquire(Duration.ofMillis(700)))
          .isInstanceOf(HoldfastException.class);
      proxy.heal();
      long healed = System.nanoTime();
      try (Hold hold = other.lock("x").acquire(LONG)) {
        Figure.since(healed, Duration.ofSeconds(3), "an acquire in doubt: the next one is in");
        hold.ensureHeld();
      }
      Await.until("no node", LONG, () -> children("/orphan/holdfast/default/x").isEmpty());
    }
  }

  @Test
  @DisplayName("u05 what was released is not kept alive: the session is, and its nodes are gone")
  void releasedIsGone() throws Exception {
    try (Holdfast holdfast = at(server.address(), "/released")) {
      Hold hold = holdfast.lock("x").acquire(LONG);
      long until = System.nanoTime() + Duration.ofSeconds(4).toNanos();
      Await.until("renewed for longer than its lease", LONG, () -> System.nanoTime() > until);
      hold.ensureHeld();
      assertThat(browser.getChildren("/released/holdfast/default/x", false)).hasSize(1);
      hold.release();
      requireEmptyForALease("/released/holdfast/default/x");
    }
  }

  /** For eight beats, and the times at which it would have been renewed. */
  private void requireEmptyForALease(String line) {
    long end = System.nanoTime() + Engines.LEASE.toNanos();
    Await.until(
        "a lease is over",
        LONG,
        () -> {
          boolean over = System.nanoTime() > end;
          assertThat(children(line)).isEmpty();
          return over;
        });
  }

  private List<String> children(String path) throws Exception {
    try {
      return browser.getChildren(path, false);
    } catch (KeeperException.NoNodeException e) {
      return List.of();
    }
  }

  @Test
  @DisplayName("u06 a late write is refused in the same transaction, hand-overs told apart")
  void guard() throws Exception {
    HoldfastOptions options = HoldfastOptions.DEFAULTS.withLease(Engines.LEASE);
    try (Holdfast holdfast = Holdfast.open(Engines.open(server.uri() + "/guarded"), options);
        ZooKeeperFenceGuard guard = ZooKeeperFenceGuard.connect(server.uri() + "/guarded")) {
      browser.create("/data", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      Hold first = holdfast.lock("report").acquire(LONG);
      guard.claim(first);
      guard.claim(first);
      guard.admit(first);
      guard.run(first, List.of(Op.setData("/data", bytes("first"), -1)));
      CompletableFuture<Hold> handed = holdfast.lock("report").acquireAsync(LONG);
      first.close();
      Hold second = handed.get(30, TimeUnit.SECONDS);
      guard.claim(second);
      assertThatThrownBy(() -> guard.run(first, List.of(Op.setData("/data", bytes("late"), -1))))
          .isInstanceOf(StaleTokenException.class);
      assertThatThrownBy(() -> guard.admit(first)).isInstanceOf(StaleTokenException.class);
      assertThatThrownBy(() -> guard.run(second, List.of(Op.setData("/data", bytes("x"), 77))))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("step 1");
      assertThat(browser.getData("/data", false, null)).isEqualTo(bytes("first"));
      guard.runShared(second, List.of(Op.setData("/data", bytes("second"), -1)));
      assertThat(browser.getData("/data", false, null)).isEqualTo(bytes("second"));
      second.close();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("a caller-supplied client can be used once it surely lasts, and stays open")
  void handedIn() throws Exception {
    HoldfastOptions options = HoldfastOptions.DEFAULTS.withLease(Engines.LEASE);
    ZooKeeperOptions where = ZooKeeperOptions.of(server.uri() + "/lent");
    long asked = System.nanoTime();
    try (Holdfast holdfast =
            Holdfast.open(ZooKeeperEngine.over(browser, where, Engines.settings()), options);
        Hold hold = holdfast.lock("x").acquire(LONG)) {
      hold.ensureHeld();
      long took = System.nanoTime() - asked;
      assertThat(took).isGreaterThanOrEqualTo(Engines.LEASE.toNanos() / 10);
      Figure.within(Engines.LEASE.dividedBy(2), took, "caller-supplied client: first acquire");
    }
    assertThat(browser.getState().isConnected()).isTrue();
  }

  @Test
  @DisplayName("a newer layout is refused by name")
  void newerLayout() throws Exception {
    for (String path : List.of("/newer", "/newer/holdfast")) {
      browser.create(path, bytes("hf2"), ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }
    try (Holdfast holdfast = at(server.address(), "/newer")) {
      assertThatThrownBy(() -> holdfast.lock("x").acquire(LONG))
          .hasMessageContaining("hf2")
          .hasMessageContaining("hf1");
    }
  }
}
