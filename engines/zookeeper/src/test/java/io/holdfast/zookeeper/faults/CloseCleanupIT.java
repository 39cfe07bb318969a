package io.holdfast.zookeeper.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.clients.ClientJvm;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs that close their client and end. */
@Timeout(120)
class CloseCleanupIT {

  private static final Duration LONG = Duration.ofSeconds(30);

  /** Sessions may be as long as ten seconds and more: what stays that long was not taken along. */
  private static final ZooKeeperServerOptions LONG_TICKS =
      ZooKeeperServerOptions.PLAIN.withTick(Duration.ofMillis(600));

  @Test
  @DisplayName("what a client has in the store is gone when its program has closed it and ended")
  void leavesNothing() throws Exception {
    try (ZooKeeperServer server = ZooKeeperServer.start(LONG_TICKS);
        ZooKeeper browser = browser(server);
        ClientJvm program =
            ClientJvm.start(
                "short", ShortProgram.class, server.uri() + "/bye?holdfast.lease=12s")) {
      program.awaitLine("held", LONG);
      assertThat(program.awaitExit(LONG)).isZero();
      long ended = System.nanoTime();
      Await.until(
          "its node is gone",
          LONG,
          () -> browser.getChildren("/bye/holdfast/~clients", false).isEmpty());
      Figure.since(ended, Duration.ofSeconds(1), "closed and ended (session 12 s): its node gone");
    }
  }

  private static ZooKeeper browser(ZooKeeperServer server) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper browser =
        new ZooKeeper(
            server.address(),
            12_000,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    assertThat(connected.await(20, TimeUnit.SECONDS)).isTrue();
    return browser;
  }
}
