package io.holdfast.zookeeper.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.scenarios.CounterBlocks;
import io.holdfast.rig.scenarios.CounterFaultScenario;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.zookeeper.Engines;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks of numbers while servers die, answers are lost and versions wrap. */
@Timeout(120)
class CounterIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String NODE = "/holdfast/~counters/default/orders";
  private static final long SIZE = 100;

  @Test
  @DisplayName("a server that is killed repeats no block: a lost answer wastes one")
  void killed() throws Exception {
    try (ZooKeeperServer server = ZooKeeperServer.start();
        LockEngine mine = Engines.open(server.uri());
        LockEngine theirs = Engines.open(server.uri())) {
      CounterFaultScenario.killed(
          "ZooKeeper",
          server.process(),
          mine.counter().orElseThrow(),
          theirs.counter().orElseThrow());
    }
  }

  @Test
  @DisplayName("an answer that is lost wastes a block and repeats none")
  void lostAnswers() throws Exception {
    try (ZooKeeperServer server = ZooKeeperServer.start();
        FaultProxy proxy = FaultProxy.to(server.process());
        LockEngine engine = Engines.open("zookeeper://127.0.0.1:" + proxy.port())) {
      CounterFaultScenario.lostAnswers("ZooKeeper", proxy, engine.counter().orElseThrow());
    }
  }

  @Test
  @DisplayName("after four billion blocks the version that means any is stepped over")
  void versions() throws Exception {
    CounterBlocks blocks = CounterBlocks.of(SIZE);
    try (ZooKeeperServer server = ZooKeeperServer.start()) {
      try (LockEngine engine = Engines.open(server.uri())) {
        assertThat(blocks.takeInSpite(engine.counter().orElseThrow())).isZero();
        server.process().stop();
      }
      nearTheEnd(server.process().folder().resolve("data"));
      server.process().restart();
      try (LockEngine mine = Engines.open(server.uri());
          LockEngine theirs = Engines.open(server.uri())) {
        Counter one = mine.counter().orElseThrow();
        Counter two = theirs.counter().orElseThrow();
        for (int i = 0; i < 12; i++) {
          blocks.takeInSpite(i % 3 == 0 ? two : one);
        }
        blocks.requireApart();
        assertThat(version(server)).isBetween(5, 20);
      }
    }
  }

  /** What the server would have written after four billion blocks. */
  private static void nearTheEnd(Path data) throws Exception {
    File folder = data.toFile();
    FileTxnSnapLog log = new FileTxnSnapLog(folder, folder);
    DataTree tree = new DataTree();
    ConcurrentHashMap<Long, Integer> sessions = new ConcurrentHashMap<>();
    log.restore(tree, sessions, (header, txn, digest) -> {});
    tree.getNode(NODE).stat.setVersion(-5);
    log.save(tree, sessions, true);
    log.close();
  }

  private static int version(ZooKeeperServer server) throws Exception {
    ZooKeeper client = connect(server);
    try {
      return client.exists(NODE, false).getVersion();
    } finally {
      client.close();
    }
  }

  private static ZooKeeper connect(ZooKeeperServer server) throws Exception {
    ZooKeeper client = new ZooKeeper(server.address(), 10_000, event -> {});
    Await.until("a connection", LONG, () -> client.getState().isConnected());
    return client;
  }

  @Test
  @DisplayName("a node that Holdfast did not write is left untouched")
  void foreign() throws Exception {
    try (ZooKeeperServer server = ZooKeeperServer.start();
        LockEngine engine = Engines.open(server.uri())) {
      CounterBlocks blocks = CounterBlocks.of(SIZE);
      Counter counter = engine.counter().orElseThrow();
      assertThat(blocks.takeInSpite(counter)).isZero();
      ZooKeeper client = connect(server);
      client.setData(NODE, "somebody's".getBytes(StandardCharsets.UTF_8), -1);
      client.close();
      assertThatThrownBy(() -> blocks.take(counter))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("\"orders\"")
          .hasMessageContaining("left it untouched");
    }
  }
}
