package io.holdfast.zookeeper.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.zookeeper.Engines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What belongs to no session, of names that nobody uses again. */
@Timeout(120)
class SweeperIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String CHROOT = "/swept";
  private static final String LINES = CHROOT + "/holdfast/default/";
  private static final long EVERY_MILLIS = 300;
  private static final int MARKS = 120;

  private static ZooKeeperServer server;

  @BeforeAll
  static void start() {
    server = ZooKeeperServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static SweepingClient sweeper() {
    return new SweepingClient(server.uri() + CHROOT, EVERY_MILLIS);
  }

  private static Ticket once(int number, String name) {
    return new Ticket(
        new Ticket.Id(3, 4, number),
        new Resource("default", name),
        Shape.once(),
        1,
        Engines.LEASE,
        0,
        true,
        new Owner("test", "host", 1, "thread", ""));
  }

  private static void settle(LockEngine lane, int number, String name, Duration keep)
      throws Exception {
    Ticket ticket = once(number, name);
    assertThat(lane.attempt(ticket, () -> {})).isInstanceOf(Standing.Granted.class);
    assertThat(lane.settle(ticket, keep)).isTrue();
  }

  private static List<String> children(ZooKeeper client, String path) throws Exception {
    return client.exists(path, false) == null ? List.of() : client.getChildren(path, false);
  }

  @Test
  @DisplayName("marks that are over go, those that are not stay, and so do lines that are in use")
  void sweeps() throws Exception {
    try (LockEngine engine = Engines.patient(server.uri() + CHROOT);
        SweepingClient sweeper = sweeper()) {
      LockEngine lane = engine.lane();
      for (int i = 0; i < MARKS; i++) {
        settle(lane, i, "over-" + i, Duration.ofMillis(50));
      }
      settle(lane, MARKS, "stays", Duration.ofHours(1));
      ZooKeeper client = sweeper.client();
      leave(client, "asked", "v-7");
      leave(client, "sized", "z-3-0000000009");
      Ticket used = once(MARKS + 1, "used");
      lane.attempt(used, () -> {});
      long start = System.nanoTime();
      Await.until(
          "only what counts is left",
          LONG,
          () -> {
            sweeper.sweeper.sweep();
            return left(client) == 2;
          });
      Figure.since(start, Duration.ofSeconds(5), MARKS + " marks that are over: swept");
      assertThat(children(client, LINES + "stays")).hasSize(1);
      assertThat(lane.attempt(once(MARKS + 2, "stays"), () -> {}))
          .isInstanceOf(Standing.Done.class);
      assertThat(lane.attempt(used, () -> {})).isInstanceOf(Standing.Granted.class);
      lane.leave(used, false);
    }
  }

  private static void leave(ZooKeeper client, String name, String record) throws Exception {
    for (String path : List.of(LINES + name, LINES + name + "/" + record)) {
      CreateMode mode = path.endsWith(record) ? CreateMode.PERSISTENT : CreateMode.CONTAINER;
      client.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
    }
  }

  /** How many lines have something in them. */
  private static long left(ZooKeeper client) throws Exception {
    long left = 0;
    for (String name : children(client, CHROOT + "/holdfast/default")) {
      left += children(client, LINES + name).isEmpty() ? 0 : 1;
    }
    return left;
  }

  @Test
  @DisplayName("of several clients one sweeps at a time")
  void oneAtATime() throws Exception {
    try (SweepingClient one = sweeper();
        SweepingClient two = sweeper()) {
      ZooKeeper client = one.client();
      assertThat(two.client().getState().isConnected()).isTrue();
      String sweepNode = CHROOT + "/holdfast/~broom";
      long begin = System.nanoTime();
      int before = client.exists(sweepNode, false) == null ? 0 : version(client, sweepNode);
      Await.until(
          "several rounds",
          LONG,
          () -> {
            one.sweeper.sweep();
            two.sweeper.sweep();
            return client.exists(sweepNode, false) != null
                && version(client, sweepNode) >= before + 4;
          });
      long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      Figure.print("two that sweep every %d ms began 4 times in %,d ms", EVERY_MILLIS, took);
      assertThat(took).isGreaterThan(3 * EVERY_MILLIS);
    }
  }

  private static int version(ZooKeeper client, String path) throws Exception {
    return client.exists(path, false).getVersion();
  }
}
