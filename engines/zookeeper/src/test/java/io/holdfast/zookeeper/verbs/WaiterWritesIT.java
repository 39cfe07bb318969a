package io.holdfast.zookeeper.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineException;
import io.holdfast.zookeeper.EngineInternals;
import io.holdfast.zookeeper.Engines;
import io.holdfast.zookeeper.ZooKeeperEngine;
import io.holdfast.zookeeper.layout.LineSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waiters cost the store: each write is one transaction of a majority. */
@Timeout(120)
class WaiterWritesIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration LEASE = Duration.ofSeconds(24);
  private static final int CLIENTS = 4;

  /** In a lease: eight beats of the session, and one write each third. */
  private static final int MOST_IN_A_LEASE = 8 + 3;

  private static final ZooKeeperServerOptions OPTIONS =
      ZooKeeperServerOptions.PLAIN.withTick(Duration.ofMillis(1_500));

  private static Holdfast open(ZooKeeperServer server) {
    return over(Engines.open(server.uri(), LEASE));
  }

  private static Holdfast over(ZooKeeperEngine engine) {
    return Holdfast.open(engine, HoldfastOptions.DEFAULTS.withLease(LEASE));
  }

  private static int inLine(ZooKeeperEngine engine) {
    try {
      ZooKeeper client = EngineInternals.sessions(engine).require().connection().client();
      return LineSnapshot.of(client.getChildren("/holdfast/default/x", false)).tickets().size();
    } catch (EngineException | KeeperException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** How many transactions there were in a third of a lease. */
  private static long writes(ZooKeeperServer server) {
    long before = zxid(server);
    long start = System.nanoTime();
    Await.until("time passes", LONG, () -> System.nanoTime() - start > LEASE.toNanos() / 3);
    return zxid(server) - before;
  }

  private static long zxid(ZooKeeperServer server) {
    String start = "Zxid: 0x";
    return server
        .ask("srvr")
        .lines()
        .filter(line -> line.startsWith(start))
        .map(line -> Long.parseLong(line.substring(start.length()).strip(), 16))
        .findFirst()
        .orElseThrow();
  }

  private static CompletableFuture<Hold> acquire(Holdfast client, String kind) {
    return switch (kind) {
      case "mutex" -> client.lock("x").acquireAsync(LONG);
      case "semaphore" -> client.semaphore("x", 2).acquireAsync(LONG);
      default -> client.readWriteLock("x").writeLock().acquireAsync(LONG);
    };
  }

  @Test
  @DisplayName("a client that waits writes no more than the beats of its session")
  void beatsAlone() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<Double>> writes = new ArrayList<>();
      for (String kind : List.of("mutex", "semaphore", "writer")) {
        writes.add(threads.submit(() -> writesOfAWaiter(kind)));
      }
      for (Future<Double> each : writes) {
        assertThat(each.get(100, TimeUnit.SECONDS)).isLessThanOrEqualTo(MOST_IN_A_LEASE + 1);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Returns how many writes a waiting client makes in a lease, at a server of its own. */
  private static double writesOfAWaiter(String kind) throws Exception {
    List<Holdfast> waiting = new ArrayList<>();
    List<CompletableFuture<Hold>> next = new ArrayList<>();
    ZooKeeperServer server = ZooKeeperServer.start(OPTIONS);
    ZooKeeperEngine engine = Engines.open(server.uri(), LEASE);
    try (server;
        Holdfast holder = over(engine)) {
      List<Hold> held = new ArrayList<>();
      held.add(acquire(holder, kind).get(60, TimeUnit.SECONDS));
      if (kind.equals("semaphore")) {
        held.add(acquire(holder, kind).get(60, TimeUnit.SECONDS));
      }
      long alone = writes(server);
      for (int i = 0; i < CLIENTS; i++) {
        Holdfast client = open(server);
        waiting.add(client);
        next.add(acquire(client, kind));
      }
      Await.until("all wait", LONG, () -> inLine(engine) == held.size() + CLIENTS);
      long all = writes(server);
      double each = 1.0 * (all - alone) / CLIENTS;
      Figure.print(
          "%s: each waiting client made %.2f writes a second, %.1f in a lease of %d s",
          kind, each / (LEASE.toSeconds() / 3.0), each * 3, LEASE.toSeconds());
      held.forEach(Hold::ensureHeld);
      assertThat(next).noneMatch(CompletableFuture::isDone);
      return each * 3;
    } finally {
      waiting.forEach(Holdfast::close);
    }
  }
}
