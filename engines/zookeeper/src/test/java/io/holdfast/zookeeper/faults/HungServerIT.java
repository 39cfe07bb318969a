package io.holdfast.zookeeper.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.Outcome;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.ZooKeeperEnsemble;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.tck.TooLateError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Three servers, of which the one that clients are connected to stands still. */
@Timeout(180)
class HungServerIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int CLIENTS = 12;

  private static ZooKeeperEnsemble ensemble;

  @BeforeAll
  static void start() {
    ensemble =
        ZooKeeperEnsemble.start(ZooKeeperServerOptions.PLAIN.with("maxSessionTimeout", "60000"));
  }

  @AfterAll
  static void stop() {
    ensemble.close();
  }

  @AfterEach
  void whole() {
    ensemble.members().stream()
        .filter(member -> !member.process().isUp())
        .forEach(member -> member.process().resume());
    ensemble.awaitAll();
  }

  private static Holdfast open(String hosts, int lease) {
    return Holdfast.connect("zookeeper://" + hosts + "/hung?holdfast.lease=" + lease + "s");
  }

  /** How many clients a server has, besides the one that asks. */
  private static long connections(ZooKeeperServer server) {
    return server.number("zk_num_alive_connections") - 1;
  }

  /** A heartbeat is sent every eighth of the lease, and given up after a sixteenth. */
  @Test
  @DisplayName(
      "a silent server is left long before ZooKeeper's own client would, and no hold is lost")
  void leftSoon() throws Exception {
    Duration lease = Duration.ofSeconds(12);
    try (FaultProxy one = FaultProxy.to(ensemble.members().get(0).process());
        FaultProxy two = FaultProxy.to(ensemble.members().get(1).process());
        Holdfast client = open("127.0.0.1:" + one.port() + ",127.0.0.1:" + two.port(), 12)) {
      Hold hold = client.lock("left").acquire(LONG);
      FaultProxy current = one.counts().open() > 0 ? one : two;
      FaultProxy other = current == one ? two : one;
      long replies = other.counts().replyBytes();
      current.blackHole();
      long silent = System.nanoTime();
      Await.until("the other server", LONG, () -> other.counts().replyBytes() > replies);
      long took = System.nanoTime() - silent;
      Figure.print(
          "ZooKeeper server silent, lease 12 s: at the other after %,d ms", took / 1_000_000);
      // ZooKeeper's own client needs two thirds of the session, counted from its last reply, and
      // each of them connects after a pause of up to a second.
      if (took > lease.toNanos() / 4 + 2_000_000_000L) {
        throw new TooLateError("the server was left after " + took / 1_000_000 + " ms");
      }
      Await.until(
          "a renewal at the other server",
          LONG,
          () -> {
            long now = System.nanoTime();
            return !hold.isHeld() || hold.remaining().toNanos() > lease.toNanos() - (now - silent);
          });
      assertThat(hold.isHeld()).isTrue();
      assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
    }
  }

  @ParameterizedTest
  @CsvSource({"follower, 12", "leader, 24"})
  @DisplayName("a server that stands still costs no holds, if the lease is long enough")
  void noneIsLost(String role, int lease) throws Exception {
    Figure.none(stop(role, lease).lost, "holds lost beside a " + role + " that stood still");
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 6, 24})
  @DisplayName("a follower that stands still costs no holds of clients of other servers")
  @EnabledIfSystemProperty(named = "long", matches = ".*")
  void followersClients(int lease) throws Exception {
    Stop stop = stop("follower", lease);
    Figure.lateAtMost(
        lease < 12 ? (int) stop.there : 0,
        (int) stop.lost,
        "follower stopped, lease " + lease + " s: holds lost");
  }

  /** Nothing is promised but that locking goes on. */
  @ParameterizedTest
  @ValueSource(ints = {6, 12})
  @DisplayName("a leader that stands still may cost holds with shorter leases, and locking goes on")
  @EnabledIfSystemProperty(named = "long", matches = ".*")
  void leadersClients(int lease) throws Exception {
    Stop stop = stop("leader", lease);
    try (Holdfast client = open(ensemble.addresses(), lease)) {
      for (int i = 0; i < CLIENTS; i++) {
        assertThat(client.lock(name("leader", lease, i)).acquire(LONG).token())
            .isGreaterThan(stop.tokens.get(i));
      }
    }
  }

  private static String name(String role, int lease, int number) {
    return role + "-" + lease + "-" + number;
  }

  /**
   * A server that stood still.
   *
   * @param there how many clients were connected to it
   * @param lost how many holds were lost
   * @param tokens of all holds
   */
  private record Stop(long there, long lost, List<Long> tokens) {}

  /** Stops a server for a lease and a half. */
  private static Stop stop(String role, int lease) throws Exception {
    ZooKeeperServer server = role.equals("leader") ? ensemble.awaitLeader() : ensemble.follower();
    List<Holdfast> clients = new ArrayList<>();
    List<Hold> held = new ArrayList<>();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        Holdfast client = open(ensemble.addresses(), lease);
        clients.add(client);
        held.add(client.lock(name(role, lease, i)).acquire(LONG));
      }
      long there = connections(server);
      long stopped = server.process().pause();
      Await.until(
          "a lease and a half pass", LONG, () -> System.nanoTime() - stopped > lease * 1.5e9);
      long lost = held.stream().filter(hold -> !hold.isHeld()).count();
      Figure.print(
          "%s stopped, lease %d s: %d of %d clients were connected to it, %d holds lost",
          role, lease, there, CLIENTS, lost);
      return new Stop(there, lost, held.stream().map(Hold::token).toList());
    } finally {
      clients.forEach(Holdfast::close);
    }
  }
}
