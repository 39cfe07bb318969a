package io.holdfast.zookeeper.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.Await;
import io.holdfast.rig.Direction;
import io.holdfast.rig.FaultProxy;
import io.holdfast.rig.Figure;
import io.holdfast.rig.ZooKeeperServer;
import io.holdfast.spi.Counter;
import io.holdfast.spi.Counter.Ask;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Resource;
import io.holdfast.zookeeper.Engines;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
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
  private static final Resource NAME = new Resource("default", "orders");
  private static final String NODE = "/holdfast/~counters/default/orders";
  private static final long COUNT = 100;

  private static long take(Counter counter) throws EngineException {
    return counter.take(new Ask(NAME, COUNT, 0, false));
  }

  private static long takeInSpite(Counter counter) {
    return Await.value("a block", LONG, () -> Optional.of(take(counter)));
  }

  private static void requireApart(List<Long> blocks) {
    List<Long> sorted = new ArrayList<>(blocks);
    Collections.sort(sorted);
    for (int i = 1; i < sorted.size(); i++) {
      assertThat(sorted.get(i)).isGreaterThanOrEqualTo(sorted.get(i - 1) + COUNT);
    }
  }

  @Test
  @DisplayName("a server that is killed repeats no block: a lost answer wastes one")
  void killed() throws Exception {
    try (ZooKeeperServer server = ZooKeeperServer.start();
        LockEngine mine = Engines.open(server.uri());
        LockEngine theirs = Engines.open(server.uri())) {
      List<Long> blocks = Collections.synchronizedList(new ArrayList<>());
      Counter counter = mine.counter().orElseThrow();
      List<Thread> takers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Counter one = i % 2 == 0 ? counter : theirs.counter().orElseThrow();
        Thread taker = new Thread(() -> takeUntilItFails(one, blocks), "taker-" + i);
        takers.add(taker);
        taker.start();
      }
      Await.until("blocks", LONG, () -> blocks.size() >= 200);
      server.process().kill9();
      for (Thread taker : takers) {
        taker.join();
      }
      server.process().restart();
      long next = takeInSpite(counter);
      blocks.add(next);
      requireApart(blocks);
      assertThat(next).isEqualTo(Collections.max(blocks));
      Figure.print(
          "ZooKeeper: %d blocks before and after it was killed, %d wasted",
          blocks.size(), next / COUNT + 1 - blocks.size());
    }
  }

  private static void takeUntilItFails(Counter counter, List<Long> blocks) {
    try {
      while (true) {
        blocks.add(take(counter));
      }
    } catch (EngineException e) {
      assertThat(e).isNotInstanceOf(EngineException.Refused.class);
    }
  }

  @Test
  @DisplayName("an answer that is lost wastes a block and repeats none")
  void lostAnswers() throws Exception {
    try (ZooKeeperServer server = ZooKeeperServer.start();
        FaultProxy proxy = FaultProxy.to(server.process());
        LockEngine engine = Engines.open("zookeeper://127.0.0.1:" + proxy.port())) {
      Counter counter = engine.counter().orElseThrow();
      List<Long> blocks = new ArrayList<>();
      int lost = 0;
      for (int i = 0; i < 12; i++) {
        if (i % 4 == 2) {
          // What is asked arrives, what is answered does not.
          proxy.passOnly(Direction.REQUESTS);
        }
        try {
          blocks.add(take(counter));
        } catch (EngineException.Unknown | EngineException.NotDone e) {
          lost++;
          proxy.heal();
        }
      }
      proxy.heal();
      long next = takeInSpite(counter);
      blocks.add(next);
      requireApart(blocks);
      long wasted = next / COUNT + 1 - blocks.size();
      Figure.print("ZooKeeper: %d answers lost, %d blocks wasted", lost, wasted);
      assertThat(lost).isPositive();
      assertThat(wasted).isBetween(1L, (long) lost);
    }
  }

  @Test
  @DisplayName("after four billion blocks the version that means any is stepped over")
  void versions() throws Exception {
    try (ZooKeeperServer server = ZooKeeperServer.start()) {
      try (LockEngine engine = Engines.open(server.uri())) {
        assertThat(takeInSpite(engine.counter().orElseThrow())).isZero();
        server.process().stop();
      }
      nearTheEnd(server.process().folder().resolve("data"));
      server.process().restart();
      try (LockEngine mine = Engines.open(server.uri());
          LockEngine theirs = Engines.open(server.uri())) {
        List<Long> blocks = new ArrayList<>(List.of(0L));
        Counter one = mine.counter().orElseThrow();
        Counter two = theirs.counter().orElseThrow();
        for (int i = 0; i < 12; i++) {
          blocks.add(takeInSpite(i % 3 == 0 ? two : one));
        }
        requireApart(blocks);
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
      Counter counter = engine.counter().orElseThrow();
      assertThat(takeInSpite(counter)).isZero();
      ZooKeeper client = connect(server);
      client.setData(NODE, "somebody's".getBytes(StandardCharsets.UTF_8), -1);
      client.close();
      assertThatThrownBy(() -> take(counter))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("\"orders\"")
          .hasMessageContaining("left untouched");
    }
  }
}
