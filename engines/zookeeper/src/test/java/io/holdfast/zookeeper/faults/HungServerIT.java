package io.holdfast.zookeeper.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.Await;
import io.holdfast.rig.Figure;
import io.holdfast.rig.ZooKeeperEnsemble;
import io.holdfast.rig.ZooKeeperOptions;
import io.holdfast.rig.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three servers, of which the one that clients are connected to stands still. */
@Timeout(180)
class HungServerIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int CLIENTS = 12;

  private static ZooKeeperEnsemble ensemble;

  @BeforeAll
  static void start() {
    ensemble = ZooKeeperEnsemble.start(ZooKeeperOptions.PLAIN.with("maxSessionTimeout", "60000"));
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

  /**
   * Stops a server for a lease and a half.
   *
   * @param mostLost how many holds may be lost at that lease: all, where nothing is promised
   */
  @ParameterizedTest
  @CsvSource({
    "follower, 3, 12",
    "follower, 6, 12",
    "follower, 12, 0",
    "follower, 24, 0",
    "leader, 6, 12",
    "leader, 12, 12",
    "leader, 24, 0"
  })
  @DisplayName("a server that stands still costs no holds, if the lease is long enough")
  void serverHangs(String role, int lease, int mostLost) throws Exception {
    ZooKeeperServer server = role.equals("leader") ? ensemble.awaitLeader() : ensemble.follower();
    List<Holdfast> clients = new ArrayList<>();
    List<Hold> held = new ArrayList<>();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        Holdfast client = open(ensemble.addresses(), lease);
        clients.add(client);
        held.add(client.lock(role + "-" + lease + "-" + i).acquire(LONG));
      }
      long there = connections(server);
      long stopped = server.process().pause();
      Await.until(
          "a lease and a half pass", LONG, () -> System.nanoTime() - stopped > lease * 1.5e9);
      long lost = held.stream().filter(hold -> !hold.isHeld()).count();
      Figure.print(
          "%s stopped, lease %d s: %d of %d clients were connected to it, %d holds lost",
          role, lease, there, CLIENTS, lost);
      assertThat(lost).isLessThanOrEqualTo(mostLost);
    } finally {
      clients.forEach(Holdfast::close);
    }
  }
}
