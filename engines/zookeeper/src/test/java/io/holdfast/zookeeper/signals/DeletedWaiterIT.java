package io.holdfast.zookeeper.signals;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.zookeeper.EngineInternals;
import io.holdfast.zookeeper.Engines;
import io.holdfast.zookeeper.ZooKeeperEngine;
import io.holdfast.zookeeper.layout.ChildName;
import io.holdfast.zookeeper.layout.LineSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A waiter whose node somebody deletes. */
@Timeout(120)
class DeletedWaiterIT {

  private static final Duration LONG = Duration.ofSeconds(60);

  /** Long, so that a waiter does not look at the line by itself while the test runs. */
  private static final Duration LEASE = Duration.ofSeconds(12);

  private static final String LINE = "/deleted/holdfast/default/x";

  private static ZooKeeperServer server;

  @BeforeAll
  static void start() {
    server = ZooKeeperServer.start(ZooKeeperServerOptions.PLAIN.withTick(Duration.ofMillis(800)));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static ZooKeeperEngine engine() {
    return Engines.open(server.uri() + "/deleted", LEASE);
  }

  private static Holdfast over(ZooKeeperEngine engine) {
    return Holdfast.open(engine, HoldfastOptions.DEFAULTS.withLease(LEASE));
  }

  private static List<String> line(ZooKeeper client) {
    try {
      return LineSnapshot.of(client.getChildren(LINE, false)).tickets().stream()
          .map(ChildName.TicketName::name)
          .toList();
    } catch (KeeperException.NoNodeException e) {
      return List.of();
    } catch (KeeperException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @DisplayName("a waiter whose node was deleted is not let in by the release of the holder")
  void notLetIn() throws Exception {
    ZooKeeperEngine first = engine();
    try (Holdfast one = over(first);
        Holdfast two = over(engine());
        Holdfast three = over(engine())) {
      Hold hold = one.lock("x").acquire(LONG);
      ZooKeeper client = EngineInternals.sessions(first).peek().connection().client();
      CompletableFuture<Hold> deleted = two.lock("x").acquireAsync(LONG);
      Await.until("one waits", LONG, () -> line(client).size() == 2);
      String node = line(client).get(1);
      CompletableFuture<Hold> next = three.lock("x").acquireAsync(LONG);
      Await.until("another waits", LONG, () -> line(client).size() == 3);
      client.delete(LINE + "/" + node, -1);
      hold.release();
      Hold in = next.get(60, TimeUnit.SECONDS);
      Await.until(
          "the deleted one is in, or has joined again",
          LONG,
          () -> deleted.isDone() || line(client).size() == 2);
      if (deleted.isDone()) {
        Hold wrong = deleted.get();
        long both = System.nanoTime();
        Await.until("one of them is lost", LONG, () -> !(wrong.isHeld() && in.isHeld()));
        Figure.print(
            "deleted waiter: both believed for %,d ms", (System.nanoTime() - both) / 1_000_000);
      }
      assertThat(deleted).as("the waiter whose node was deleted").isNotDone();
      in.release();
      Hold last = deleted.get(60, TimeUnit.SECONDS);
      assertThat(last.token()).isGreaterThan(in.token());
      last.release();
    }
  }
}
