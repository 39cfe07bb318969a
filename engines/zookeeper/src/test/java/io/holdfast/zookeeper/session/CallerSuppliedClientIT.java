package io.holdfast.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.HoldfastOptions;
import io.holdfast.Outcome;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.zookeeper.Engines;
import io.holdfast.zookeeper.ZooKeeperEngine;
import io.holdfast.zookeeper.ZooKeeperOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an engine over a client of the program leaves in that client's session, which goes on. */
@Timeout(120)
class CallerSuppliedClientIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration LEASE = Duration.ofSeconds(6);
  private static final String CLIENTS = "/lent/holdfast/~clients";
  private static final String LINE = "/lent/holdfast/default/x";

  private static ZooKeeperServer server;
  private static ZooKeeper browser;

  @BeforeAll
  static void start() throws Exception {
    // Sessions may last for 12 s: what is gone before that did not go with one.
    server =
        ZooKeeperServer.start(
            io.holdfast.rig.servers.ZooKeeperServerOptions.PLAIN.withTick(Duration.ofMillis(600)));
    browser = client(server.port());
  }

  @AfterAll
  static void stop() throws Exception {
    browser.close();
    server.close();
  }

  private static ZooKeeper client(int port) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(
            "127.0.0.1:" + port,
            12_000,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    assertThat(connected.await(20, TimeUnit.SECONDS)).isTrue();
    return client;
  }

  private static LockEngine over(ZooKeeper client) {
    return ZooKeeperEngine.over(
        client, ZooKeeperOptions.of(server.uri() + "/lent"), Engines.settings(LEASE));
  }

  private static List<String> children(String path) throws Exception {
    try {
      return browser.getChildren(path, false);
    } catch (KeeperException.NoNodeException e) {
      return List.of();
    }
  }

  @Test
  @DisplayName(
      "a caller-supplied client has nothing of the engine in its session when we are closed")
  void leavesNothing() throws Exception {
    ZooKeeper supplied = client(server.port());
    HoldfastOptions options = HoldfastOptions.DEFAULTS.withLease(LEASE);
    try (Holdfast holdfast = Holdfast.open(over(supplied), options)) {
      Hold hold = holdfast.lock("x").acquire(LONG);
      assertThat(children(CLIENTS)).hasSize(1);
      hold.ensureHeld();
    }
    assertThat(supplied.getState().isConnected()).isTrue();
    assertThat(children(CLIENTS)).isEmpty();
    assertThat(children(LINE)).isEmpty();
    supplied.close();
  }

  @Test
  @DisplayName("closed while its connection is away: what is ours goes when that is back")
  void closedWhileAway() throws Exception {
    try (FaultProxy proxy = FaultProxy.to(server.process())) {
      ZooKeeper supplied = client(proxy.port());
      long session = supplied.getSessionId();
      LockEngine engine = over(supplied);
      Ticket ticket =
          new Ticket(
              new Ticket.Id(1, 2, 3),
              new Resource("default", "x"),
              Shape.mutex(Order.FIFO),
              1,
              LEASE,
              0,
              true,
              new Owner("test", "host", 1, "thread", ""));
      assertThat(engine.attempt(ticket, () -> {})).isInstanceOf(Standing.Granted.class);
      proxy.cut();
      Await.until("it is cut off", LONG, () -> !supplied.getState().isConnected());
      Figure.within(Duration.ofMillis(500), "closed while cut off", engine::close);
      assertThat(children(LINE)).hasSize(1);
      proxy.heal();
      Await.until("it is back", LONG, () -> supplied.getState().isConnected());
      long back = System.nanoTime();
      Await.until("nothing is left", LONG, () -> children(LINE).isEmpty());
      Await.until("no client", LONG, () -> children(CLIENTS).isEmpty());
      Figure.since(back, Duration.ofMillis(500), "closed while cut off: gone, once it was back");
      assertThat(supplied.getState().isConnected()).isTrue();
      assertThat(supplied.getSessionId()).isEqualTo(session);
      supplied.close();
    }
  }

  @Test
  @DisplayName("a supplier of clients is asked again when a session is over")
  void goesOnWithTheNextClient() throws Exception {
    AtomicReference<ZooKeeper> current = new AtomicReference<>(client(server.port()));
    AtomicInteger asked = new AtomicInteger();
    HoldfastOptions options = HoldfastOptions.DEFAULTS.withLease(LEASE);
    ZooKeeperOptions nodes = ZooKeeperOptions.of(server.uri() + "/lent");
    try (Holdfast holdfast =
        Holdfast.open(
            settings ->
                ZooKeeperEngine.over(
                    () -> {
                      asked.incrementAndGet();
                      return current.get();
                    },
                    nodes,
                    settings),
            options)) {
      Hold before = holdfast.lock("x").acquire(LONG);
      assertThat(asked).hasValue(1);
      CountDownLatch lost = new CountDownLatch(1);
      before.onLoss(loss -> lost.countDown());
      current.getAndSet(null).close();
      assertThat(lost.await(20, TimeUnit.SECONDS)).isTrue();
      assertThatThrownBy(() -> holdfast.lock("x").acquire(Duration.ofSeconds(3)))
          .isInstanceOf(HoldfastException.class);
      current.set(client(server.port()));
      try (Hold after = holdfast.lock("x").acquire(LONG)) {
        assertThat(after.token()).isGreaterThan(before.token());
        assertThat(asked).hasValueGreaterThan(1);
      }
    }
    assertThat(current.get().getState().isConnected()).isTrue();
    assertThat(children(CLIENTS)).isEmpty();
    current.get().close();
  }

  @Test
  @DisplayName("a mutex that is kept outlives the session, and the close of the engine")
  void keptOutlivesTheSession() throws Exception {
    ZooKeeper supplied = client(server.port());
    HoldfastOptions options = HoldfastOptions.DEFAULTS.withLease(LEASE);
    try (Holdfast holdfast = Holdfast.open(over(supplied), options)) {
      Hold hold = holdfast.lock("x").acquire(LONG);
      assertThat(hold.release(Duration.ofSeconds(3))).isEqualTo(Outcome.RELEASED);
    }
    supplied.close();
    assertThat(children(LINE)).hasSize(2);
    ZooKeeper other = client(server.port());
    try (Holdfast holdfast = Holdfast.open(over(other), options)) {
      assertThat(holdfast.lock("x").tryAcquire()).isEmpty();
      holdfast.lock("x").acquire(LONG).release();
    }
    assertThat(children(LINE)).isEmpty();
    other.close();
  }
}
