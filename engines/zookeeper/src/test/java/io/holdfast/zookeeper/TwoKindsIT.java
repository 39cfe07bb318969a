package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.Await;
import io.holdfast.rig.ZooKeeperServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One name that programs use in two ways. */
@Timeout(120)
class TwoKindsIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String LINE = "/kinds/holdfast/default/x";

  /** A mutex in order FIFO, whose client has joined and not looked yet. */
  private static final String PAUSED = LINE + "/t-mf1-1-" + "0".repeat(31) + "7-1-";

  private static ZooKeeperServer server;

  @BeforeAll
  static void start() {
    server = ZooKeeperServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static ZooKeeper browser() throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper browser =
        new ZooKeeper(
            server.address(),
            4_000,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    assertThat(connected.await(20, TimeUnit.SECONDS)).isTrue();
    return browser;
  }

  @Test
  @DisplayName("one behind a ticket of another order is not in before that one has gone")
  void waitsForTheOther() throws Exception {
    ZooKeeper browser = browser();
    try (Holdfast one = Holdfast.connect(server.uri() + "/kinds?holdfast.lease=4s");
        Holdfast two = Holdfast.connect(server.uri() + "/kinds?holdfast.lease=4s")) {
      Hold hold = one.lock("x").acquire(LONG);
      String paused =
          browser.create(
              PAUSED, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
      CompletableFuture<Hold> next = two.lock("x").acquireAsync(LONG);
      Await.until("in line", LONG, () -> browser.getChildren(LINE, false).size() == 3);
      hold.release();
      // The other is first now: when it looks, it is in.
      assertThatThrownBy(() -> next.get(1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
      browser.delete(paused, -1);
      next.get(30, TimeUnit.SECONDS).close();
    } finally {
      browser.close();
    }
  }
}
