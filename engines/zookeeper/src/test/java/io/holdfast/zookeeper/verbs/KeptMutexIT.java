package io.holdfast.zookeeper.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import io.holdfast.zookeeper.EngineInternals;
import io.holdfast.zookeeper.Engines;
import io.holdfast.zookeeper.ZooKeeperEngine;
import io.holdfast.zookeeper.ZooKeeperOptions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the watches of waiters report when the mutex ahead of them stays without its client. */
@Timeout(120)
class KeptMutexIT {

  private static final Duration LEASE = Duration.ofSeconds(6);
  private static final Duration KEEP = Duration.ofSeconds(5);
  private static final Duration LONG = Duration.ofSeconds(30);

  private static ZooKeeperServer server;
  private long tickets;

  /** Counts wakes, and notes a grant by a signal. */
  private static final class Waking implements Wake {
    private final AtomicInteger wakes = new AtomicInteger();
    private final AtomicBoolean granted = new AtomicBoolean();

    @Override
    public void wake() {
      wakes.incrementAndGet();
    }

    @Override
    public void granted(Standing.Granted standing) {
      granted.set(true);
    }
  }

  @BeforeAll
  static void start() {
    // Sessions may last for 12 s.
    server = ZooKeeperServer.start(ZooKeeperServerOptions.PLAIN.withTick(Duration.ofMillis(600)));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static LockEngine open(String address) {
    return ZooKeeperEngine.open(ZooKeeperOptions.of(address), Engines.settings(LEASE));
  }

  private Ticket ticket(String name) {
    return new Ticket(
        new Ticket.Id(name.hashCode(), 7, ++tickets),
        new Resource("default", name),
        Shape.mutex(Order.FIFO),
        1,
        LEASE,
        0,
        true,
        new Owner("test", "host", 1, "thread", ""));
  }

  @Test
  @DisplayName("a waiter that watches the holder is woken, and still waits")
  void watching() throws Exception {
    try (LockEngine mine = open(server.uri());
        LockEngine theirs = open(server.uri())) {
      Ticket holder = ticket("watched");
      Ticket waiter = ticket("watched");
      Waking waking = new Waking();
      assertThat(mine.attempt(holder, () -> {})).isInstanceOf(Standing.Granted.class);
      assertThat(theirs.attempt(waiter, waking)).isInstanceOf(Standing.Waiting.class);
      assertThat(mine.settle(holder, KEEP)).isTrue();
      Await.until("the waiter is woken", LONG, () -> waking.wakes.get() > 0);
      assertThat(waking.granted).isFalse();
      Standing.Waiting standing = (Standing.Waiting) theirs.attempt(waiter, waking);
      assertThat(standing.retryAfter()).isLessThanOrEqualTo(KEEP);
      Await.until(
          "it gets in", LONG, () -> theirs.attempt(waiter, waking) instanceof Standing.Granted);
    }
  }

  @Test
  @DisplayName("a waiter that was cut off meanwhile does not take the change for a departure")
  void cutOff() throws Exception {
    try (FaultProxy proxy = FaultProxy.to(server.process());
        LockEngine mine = open(server.uri());
        LockEngine theirs = open("zookeeper://127.0.0.1:" + proxy.port())) {
      Ticket holder = ticket("cut off");
      Ticket waiter = ticket("cut off");
      Waking waking = new Waking();
      assertThat(mine.attempt(holder, () -> {})).isInstanceOf(Standing.Granted.class);
      assertThat(theirs.attempt(waiter, waking)).isInstanceOf(Standing.Waiting.class);
      proxy.cut();
      Await.until(
          "it is cut off", LONG, () -> !EngineInternals.sessions(theirs).peek().isConnected());
      assertThat(mine.settle(holder, LONG)).isTrue();
      proxy.heal();
      Await.until("it is back", LONG, () -> EngineInternals.sessions(theirs).peek().isConnected());
      Await.until("the waiter is woken", LONG, () -> waking.wakes.get() > 0);
      assertThat(waking.granted).isFalse();
      assertThat(theirs.attempt(waiter, waking)).isInstanceOf(Standing.Waiting.class);
    }
  }

  @Test
  @DisplayName("a settle that is repeated finds what the first has left, and does not begin again")
  void repeated() throws Exception {
    try (LockEngine mine = open(server.uri());
        LockEngine theirs = open(server.uri())) {
      Ticket holder = ticket("repeated");
      assertThat(mine.attempt(holder, () -> {})).isInstanceOf(Standing.Granted.class);
      assertThat(mine.settle(holder, KEEP)).isTrue();
      assertThat(mine.settle(holder, LONG)).isTrue();
      assertThat(mine.leave(holder, true)).isEqualTo(Left.NOTHING);
      Ticket rival = ticket("repeated");
      Standing.Waiting standing = (Standing.Waiting) theirs.attempt(rival, () -> {});
      assertThat(standing.retryAfter()).isLessThanOrEqualTo(KEEP);
    }
  }
}
