package io.holdfast.zookeeper.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.Order;
import io.holdfast.zookeeper.Engines;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A line whose places come to their end. */
@Timeout(120)
class PlaceLimitIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String LINE = "/holdfast/default/line";
  private static final int WAITERS = 8;

  @Test
  @DisplayName("u27 a line whose places are used up empties and restarts")
  void restarts() throws Exception {
    try (ZooKeeperServer server = ZooKeeperServer.start()) {
      try (Holdfast holdfast = at(server)) {
        holdfast.lock("line").acquire(LONG).release();
        holdfast.lock("line").acquire(LONG).release();
        server.process().stop();
      }
      nearTheEnd(server.process().folder().resolve("data"));
      server.process().restart();
      try (Holdfast holdfast = at(server)) {
        oneByOne(holdfast);
      }
    }
  }

  private static Holdfast at(ZooKeeperServer server) {
    HoldfastOptions options =
        HoldfastOptions.DEFAULTS.withLease(Engines.LEASE).withOrder(Order.FIFO);
    return Holdfast.open(Engines.open(server.uri()), options);
  }

  /** What the server would have written after two billion joins. */
  private static void nearTheEnd(Path data) throws Exception {
    File folder = data.toFile();
    FileTxnSnapLog log = new FileTxnSnapLog(folder, folder);
    DataTree tree = new DataTree();
    ConcurrentHashMap<Long, Integer> sessions = new ConcurrentHashMap<>();
    log.restore(tree, sessions, (header, txn, digest) -> {});
    tree.getNode(LINE).stat.setCversion(Integer.MAX_VALUE - 1_000_000 - 3);
    log.save(tree, sessions, true);
    log.close();
  }

  private static void oneByOne(Holdfast holdfast) throws Exception {
    Hold first = holdfast.lock("line").acquire(LONG);
    List<CompletableFuture<Hold>> line = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      int before = i;
      line.add(holdfast.lock("line").acquireAsync(LONG));
      Await.until("they wait", LONG, () -> holdfast.health().waiting() > before);
    }
    long token = first.token();
    first.release();
    List<CompletableFuture<Hold>> left = new ArrayList<>(line);
    while (!left.isEmpty()) {
      CompletableFuture.anyOf(left.toArray(new CompletableFuture<?>[0])).get(30, TimeUnit.SECONDS);
      List<CompletableFuture<Hold>> in = left.stream().filter(CompletableFuture::isDone).toList();
      assertThat(in).as("in at once").hasSize(1);
      left.removeIf(each -> each == in.get(0));
      Hold hold = in.get(0).get();
      assertThat(hold.token()).isGreaterThan(token);
      token = hold.token();
      hold.release();
    }
  }
}
