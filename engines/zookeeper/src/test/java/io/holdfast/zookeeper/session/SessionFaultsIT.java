package io.holdfast.zookeeper.session;

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
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.Left;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.zookeeper.EngineInternals;
import io.holdfast.zookeeper.Engines;
import io.holdfast.zookeeper.ZooKeeperEngine;
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

/** Sessions that end, and nodes that somebody deletes. */
@Timeout(120)
class SessionFaultsIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration LEASE = Engines.LEASE;

  private static ZooKeeperServer server;

  @BeforeAll
  static void start() {
    server = ZooKeeperServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** A client, and what is behind it. */
  private record Client(Holdfast holdfast, ZooKeeperEngine engine) implements AutoCloseable {

    static Client open(String chroot) {
      return open(server.port(), chroot);
    }

    static Client open(int port, String chroot) {
      ZooKeeperEngine engine =
          (ZooKeeperEngine) Engines.open("zookeeper://127.0.0.1:" + port + chroot);
      HoldfastOptions options = HoldfastOptions.DEFAULTS.withLease(LEASE);
      return new Client(Holdfast.open(engine, options), engine);
    }

    ZooKeeper zookeeper() {
      return EngineInternals.sessions(engine).peek().connection().client();
    }

    @Override
    public void close() {
      holdfast.close();
    }
  }

  /**
   * Ends a session at a moment of our choice: a twin takes it over, by which the server closes the
   * connection of the other, and says goodbye. The other one hears of it when it connects anew. For
   * a session that ends while the client believes in its connection, see {@link #halfOpen}.
   */
  private static void expire(ZooKeeper client) throws Exception {
    CompletableFuture<Void> connected = new CompletableFuture<>();
    ZooKeeper twin =
        new ZooKeeper(
            server.address(),
            client.getSessionTimeout(),
            event -> connected.complete(null),
            client.getSessionId(),
            client.getSessionPasswd());
    connected.get(10, TimeUnit.SECONDS);
    twin.close();
  }

  @Test
  @DisplayName("u27 a session that ends costs all its holds, and none comes back in the next one")
  void sessionEnds() throws Exception {
    try (Client one = Client.open("/over");
        Client two = Client.open("/over")) {
      Hold hold = one.holdfast.lock("x").acquire(LONG);
      Hold other = one.holdfast.lock("y").acquire(LONG);
      CompletableFuture<Hold> next = two.holdfast.lock("x").acquireAsync(LONG);
      Await.until("one waits", LONG, () -> two.holdfast.health().waiting() == 1);
      CompletableFuture<Loss> told = new CompletableFuture<>();
      hold.onLoss(told::complete);
      long ended = System.nanoTime();
      expire(one.zookeeper());
      Hold second = next.get(30, TimeUnit.SECONDS);
      Figure.since(ended, Duration.ofSeconds(1), "session ended: the one that waited is in");
      Loss loss = told.get(30, TimeUnit.SECONDS);
      Figure.since(ended, LEASE, "session ended: loss told");
      assertThat(loss.cause()).isIn(Loss.Cause.SESSION_OVER, Loss.Cause.EXPIRED);
      Await.until("the other is lost too", LEASE.multipliedBy(2), () -> !other.isHeld());
      assertThat(hold.isHeld()).isFalse();
      assertThat(hold.release()).isEqualTo(Outcome.LOST);
      second.release();
      Hold again = one.holdfast.lock("x").acquire(LONG);
      assertThat(again.token()).isGreaterThan(second.token());
      assertThat(hold.isHeld()).isFalse();
      again.release();
    }
  }

  @Test
  @DisplayName("a leave that learns of the end of its session finds nothing of its ticket")
  void leavesWhileSessionEnds() throws Exception {
    try (Client one = Client.open("/leaves")) {
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
      assertThat(one.engine.attempt(ticket, () -> {})).isInstanceOf(Standing.Granted.class);
      ZooKeeper client = one.zookeeper();
      expire(client);
      Await.until("the connection is closed", LONG, () -> !client.getState().isConnected());

      assertThat(one.engine.leave(ticket, false)).isEqualTo(Left.NOTHING);
    }
  }

  @Test
  @DisplayName(
      "u27 a session that ends behind a half-open connection: the holder stops before that")
  void halfOpen() throws Exception {
    try (FaultProxy proxy = FaultProxy.to(server.process());
        Client one = Client.open(proxy.port(), "/half");
        Client two = Client.open("/half")) {
      Hold hold = one.holdfast.lock("x").acquire(LONG);
      long session = one.zookeeper().getSessionId();
      CompletableFuture<Long> rival =
          two.holdfast.lock("x").acquireAsync(LONG).thenApply(next -> System.nanoTime());
      Await.until("one waits", LONG, () -> two.holdfast.health().waiting() == 1);
      long open = proxy.counts().open();
      // What it sends vanishes, and nothing tells it so: its socket is open until it gives it up.
      proxy.blackHole();
      long swallowed = System.nanoTime();
      assertThat(one.zookeeper().getState().isConnected()).isTrue();
      Await.until("it stops believing", LONG, () -> !hold.isHeld());
      long stopped = System.nanoTime();
      assertThat(rival).as("the one that waits").isNotDone();
      assertThat(proxy.counts().open()).isGreaterThanOrEqualTo(open);
      long in = rival.get(30, TimeUnit.SECONDS);
      Figure.within(LEASE, stopped - swallowed, "half-open: the holder stopped believing");
      Figure.within(LEASE.dividedBy(2), in - stopped, "half-open: the next was in, after that");
      assertThat(in).isGreaterThan(stopped);
      assertThat(hold.loss().map(Loss::cause)).contains(Loss.Cause.EXPIRED);
      proxy.heal();
      one.holdfast.lock("y").acquire(LONG).close();
      assertThat(one.zookeeper().getSessionId()).as("another session").isNotEqualTo(session);
      assertThat(hold.release()).isEqualTo(Outcome.LOST);
    }
  }

  @Test
  @DisplayName(
      "u28 one whose session ends while it waits is not in by its old node; it joins again")
  void waiterSessionEnds() throws Exception {
    try (Client one = Client.open("/waits");
        Client two = Client.open("/waits")) {
      Hold hold = one.holdfast.lock("x").acquire(LONG);
      CompletableFuture<Hold> next = two.holdfast.lock("x").acquireAsync(LONG);
      Await.until("one waits", LONG, () -> two.holdfast.health().waiting() == 1);
      Await.until(
          "it has a session", LONG, () -> EngineInternals.sessions(two.engine).peek() != null);
      long before = two.zookeeper().getSessionId();
      expire(two.zookeeper());
      Await.until(
          "it joins again",
          LONG,
          () ->
              two.zookeeper().getSessionId() != before
                  && line(one, "/waits/holdfast/default/x").size() == 2);
      assertThat(next).isNotDone();
      hold.release();
      Hold second = next.get(30, TimeUnit.SECONDS);
      assertThat(two.zookeeper().exists(onlyNode(one, "/waits/holdfast/default/x"), false))
          .returns(two.zookeeper().getSessionId(), stat -> stat.getEphemeralOwner());
      assertThat(second.token()).isGreaterThan(hold.token());
      second.release();
    }
  }

  private static List<String> line(Client client, String path) throws Exception {
    try {
      return client.zookeeper().getChildren(path, false);
    } catch (KeeperException.NoNodeException e) {
      return List.of();
    }
  }

  private static String onlyNode(Client client, String path) throws Exception {
    List<String> children = line(client, path);
    assertThat(children).hasSize(1);
    return path + "/" + children.get(0);
  }

  @Test
  @DisplayName("a node that somebody deletes costs that hold alone")
  void deletedByHand() throws Exception {
    try (Client one = Client.open("/hand");
        Client two = Client.open("/hand")) {
      Hold lost = one.holdfast.lock("lost").acquire(LONG);
      Hold kept = one.holdfast.lock("kept").acquire(LONG);
      CompletableFuture<Loss> told = new CompletableFuture<>();
      lost.onLoss(told::complete);
      Hold theirs = two.holdfast.lock("theirs").acquire(LONG);
      long deleted = System.nanoTime();
      two.zookeeper().delete(onlyNode(two, "/hand/holdfast/default/lost"), -1);
      assertThat(told.get(30, TimeUnit.SECONDS).cause()).isEqualTo(Loss.Cause.TAKEN);
      Figure.since(deleted, LEASE.dividedBy(2), "node deleted by hand: loss told");
      assertThat(kept.isHeld()).isTrue();
      kept.ensureHeld();
      theirs.ensureHeld();
      assertThat(kept.release()).isEqualTo(Outcome.RELEASED);
    }
  }

  @Test
  @DisplayName("u46 a login that is not accepted is refused at once, and says nothing of itself")
  void wrongLogin() throws Exception {
    String address = server.address() + "/rights?holdfast.lease=3s";
    try (Holdfast mine = Holdfast.connect("zookeeper://me:secret@" + address);
        Holdfast theirs = Holdfast.connect("zookeeper://them:other@" + address);
        Holdfast nobody = Holdfast.connect("zookeeper://" + address)) {
      Hold hold = mine.lock("x").acquire(LONG);
      for (Holdfast stranger : List.of(theirs, nobody)) {
        assertThatThrownBy(() -> stranger.lock("x").acquire(LONG))
            .isInstanceOf(LockRefusedException.class)
            .hasMessageContaining("login")
            .hasMessageNotContaining("secret")
            .hasMessageNotContaining("other");
      }
      hold.ensureHeld();
      hold.release();
    }
  }

  @Test
  @DisplayName("a server that grants less than the lease is refused, with both numbers")
  void tooLong() {
    try (Holdfast holdfast = Holdfast.connect(server.uri() + "/long?holdfast.lease=30s")) {
      assertThatThrownBy(() -> holdfast.lock("x").acquire(LONG))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining("4000 ms")
          .hasMessageContaining("30000 ms");
    }
  }
}
