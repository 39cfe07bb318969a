package io.holdfast.zookeeper.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockRefusedException;
import io.holdfast.Loss;
import io.holdfast.Outcome;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.zookeeper.EngineInternals;
import io.holdfast.zookeeper.Engines;
import io.holdfast.zookeeper.ZooKeeperEngine;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** U46: logins belong to connections, which end, and to rights, which change. */
@Timeout(120)
class CredentialsIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String LOGIN = "me:secret-word";

  /** Outlasts the time that ZooKeeper's client takes to reconnect. */
  private static final Duration LEASE = Duration.ofSeconds(6);

  private static final Duration TICK = Duration.ofMillis(400);

  private static ZooKeeperServer server;

  @BeforeAll
  static void start() {
    server = ZooKeeperServer.start(ZooKeeperServerOptions.PLAIN.withTick(TICK));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Holdfast at(int port, String chroot) {
    return Holdfast.connect(
        "zookeeper://" + LOGIN + "@127.0.0.1:" + port + chroot + "?holdfast.lease=6s");
  }

  @Test
  @DisplayName("u46 a login is shown again on every connection, and holds live on")
  void reconnects() throws Exception {
    try (FaultProxy proxy = FaultProxy.to(server.process());
        Holdfast holdfast = at(proxy.port(), "/connections")) {
      Hold hold = holdfast.lock("held").acquire(LONG);
      for (int i = 0; i < 2; i++) {
        long cut = System.nanoTime();
        proxy.reset();
        proxy.heal();
        try (Hold next = holdfast.lock("next").acquire(LONG)) {
          Figure.since(cut, Duration.ofSeconds(2), "a connection with a login ended: next acquire");
          next.ensureHeld();
        }
        renewed(hold);
      }
      hold.release();
    }
  }

  @Test
  @DisplayName("u46 rights that are taken away are a refusal at once; given back, all goes on")
  void rightsChange() throws Exception {
    String namespace = "/changes/holdfast/default";
    ZooKeeper admin = admin();
    ZooKeeperEngine engine = engine("/changes");
    try (Holdfast holdfast = over(engine)) {
      Hold hold = holdfast.lock("held").acquire(LONG);
      List<ACL> before = admin.getACL(namespace, new Stat());
      admin.setACL(namespace, Arrays.asList(new ACL(Perms.ADMIN, Ids.AUTH_IDS)), -1);
      long asked = System.nanoTime();
      for (String name : List.of("new", "held/too")) {
        assertThatThrownBy(() -> holdfast.lock(name).acquire(LONG))
            .isInstanceOf(LockRefusedException.class)
            .hasMessageContaining(name)
            .hasMessageContaining("rights")
            .hasMessageNotContaining("secret-word");
      }
      Figure.since(asked, Duration.ofSeconds(1), "two acquires without rights: refused");
      assertThat(EngineInternals.tickets(engine).size()).as("the one that is held").isEqualTo(1);
      renewed(hold);
      admin.setACL(namespace, before, -1);
      try (Hold next = holdfast.lock("new").acquire(LONG)) {
        next.ensureHeld();
      }
      assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
    } finally {
      admin.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"default/held", "~clients"})
  @DisplayName("u46 a hold that is lost as its rights were taken away says so")
  void lostWithItsRights(String where) throws Exception {
    String chroot = "/lost/" + where.replaceAll("\\W", "");
    ZooKeeper admin = admin();
    try (Holdfast holdfast = at(server.port(), chroot)) {
      Hold hold = holdfast.lock("held").acquire(LONG);
      CompletableFuture<Loss> told = new CompletableFuture<>();
      hold.onLoss(told::complete);
      String path = chroot + "/holdfast/" + where;
      String node =
          where.equals("~clients") ? path + "/" + admin.getChildren(path, false).get(0) : path;
      long taken = System.nanoTime();
      admin.setACL(node, Arrays.asList(new ACL(Perms.ADMIN, Ids.AUTH_IDS)), -1);
      Loss loss = told.get(60, TimeUnit.SECONDS);
      Figure.since(taken, LEASE.multipliedBy(2), "rights on " + where + " taken away: told");
      assertThat(loss.reason())
          .contains("login")
          .contains("rights")
          .contains("NOAUTH")
          .doesNotContain("secret-word");
    } finally {
      admin.close();
    }
  }

  @Test
  @DisplayName("u46 one that may join and not look is refused, and leaves nothing in the line")
  void mayNotLook() throws Exception {
    String line = "/blind/holdfast/default/held";
    ZooKeeper admin = admin();
    ZooKeeperEngine engine = engine("/blind");
    try (Holdfast first = at(server.port(), "/blind");
        Holdfast second = over(engine)) {
      Hold hold = first.lock("held").acquire(LONG);
      List<ACL> before = admin.getACL(line, new Stat());
      int blind = Perms.ALL & ~Perms.READ;
      admin.setACL(line, Arrays.asList(new ACL(blind, Ids.AUTH_IDS)), -1);
      assertThatThrownBy(() -> second.lock("held").acquire(LONG))
          .isInstanceOf(LockRefusedException.class);
      assertThat(EngineInternals.tickets(engine).size()).isZero();
      admin.setACL(line, before, -1);
      assertThat(admin.getChildren(line, false)).hasSize(1);
      assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
    } finally {
      admin.close();
    }
  }

  private static ZooKeeperEngine engine(String chroot) {
    String uri = "zookeeper://" + LOGIN + "@" + server.address() + chroot;
    return (ZooKeeperEngine)
        ZooKeeperEngine.open(
            io.holdfast.zookeeper.ZooKeeperOptions.of(uri), Engines.settings(LEASE));
  }

  private static Holdfast over(ZooKeeperEngine engine) {
    return Holdfast.open(engine, HoldfastOptions.DEFAULTS.withLease(LEASE));
  }

  /** Waits until it has been renewed at least once. */
  private static void renewed(Hold hold) {
    long until = System.nanoTime() + LEASE.toNanos();
    Await.until(
        "renewed",
        LONG,
        () -> {
          hold.ensureHeld();
          return System.nanoTime() > until;
        });
  }

  private static ZooKeeper admin() throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper admin =
        new ZooKeeper(
            server.address(),
            4_000,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    admin.addAuthInfo("digest", LOGIN.getBytes(StandardCharsets.UTF_8));
    assertThat(connected.await(20, TimeUnit.SECONDS)).isTrue();
    return admin;
  }
}
