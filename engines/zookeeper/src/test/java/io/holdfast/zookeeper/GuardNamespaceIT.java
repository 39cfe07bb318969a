package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.StaleTokenException;
import io.holdfast.rig.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Guards and namespaces. */
@Timeout(120)
class GuardNamespaceIT {

  private static final Duration LONG = Duration.ofSeconds(60);

  private static ZooKeeperServer server;

  @BeforeAll
  static void start() {
    server = ZooKeeperServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String address(String namespace) {
    return server.uri() + "/guard?holdfast.lease=4s&acl=open&holdfast.namespace=" + namespace;
  }

  private static List<Op> creates(String path) {
    return List.of(
        Op.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
  }

  @Test
  @DisplayName("holds of one name in two namespaces do not make each other stale")
  void keptApart() throws Exception {
    try (Holdfast one = Holdfast.connect(address("one"));
        Holdfast two = Holdfast.connect(address("two"));
        ZooKeeperFenceGuard guard = ZooKeeperFenceGuard.connect(server.uri() + "/guard")) {
      Hold first = one.lock("x").acquire(LONG);
      Hold second = two.lock("x").acquire(LONG);
      assertThat(second.token()).isGreaterThan(first.token());
      guard.claim(second);
      guard.claim(first);
      guard.admit(second);
      assertThat(guard.run(second, creates("/second"))).hasSize(1);
      assertThat(guard.run(first, creates("/first"))).hasSize(1);
      assertThat(guard.runShared(first, creates("/shared"))).hasSize(1);
    }
  }

  @Test
  @DisplayName("the address of an engine is accepted, and its namespace is the guard's")
  void addressOfAnEngine() throws Exception {
    try (Holdfast holdfast = Holdfast.connect(address("three"));
        ZooKeeperFenceGuard guard = ZooKeeperFenceGuard.connect(address("three"));
        ZooKeeperFenceGuard other = ZooKeeperFenceGuard.connect(server.uri() + "/guard")) {
      Hold older = holdfast.lock("y").acquire(LONG);
      older.release();
      Hold hold = holdfast.lock("y").acquire(LONG);
      guard.claim("y", hold.token(), hold.id());
      assertThatThrownBy(() -> other.claim(older)).isInstanceOf(StaleTokenException.class);
      other.claim("y", older.token(), older.id());
    }
  }

  @Test
  @DisplayName("a namespace that is given twice or is not well formed is refused")
  void wrongAddress() {
    assertThatThrownBy(
            () -> ZooKeeperFenceGuard.connect(address("a") + "&holdfast.namespace=b").close())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("give each parameter once: holdfast.namespace");
    assertThatThrownBy(() -> ZooKeeperFenceGuard.connect(address("a%2Fb%20c")).close())
        .isInstanceOf(IllegalArgumentException.class);
  }
}
