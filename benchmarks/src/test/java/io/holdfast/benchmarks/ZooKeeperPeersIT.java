package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.ZooKeeperOptions;
import io.holdfast.rig.ZooKeeperServer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every peer over ZooKeeper is a lock: among threads, among clients and among processes. */
@Timeout(120)
class ZooKeeperPeersIT {

  private static ZooKeeperServer server;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    // Sessions as long as the usual lease.
    server = ZooKeeperServer.start(ZooKeeperOptions.PLAIN.withTick(Duration.ofSeconds(2)));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ZooKeeperPeers.CURATOR,
        ZooKeeperPeers.CURATOR_SEMAPHORE,
        ZooKeeperPeers.FRAMEWORK,
        ZooKeeperPeers.RAW
      })
  void a_second_caller_waits_until_the_first_has_released(String name) throws Exception {
    PeerRules.aSecondCallerWaits(Entrant.peer(name, server.uri()).contender(), name, folder);
  }

  @Test
  void three_processes_keep_apart() throws Exception {
    PeerRules.threeProcessesKeepApart(Entrant.peer(ZooKeeperPeers.CURATOR, server.uri()), folder);
  }

  @Test
  void what_is_no_plain_address_is_refused_and_not_quoted() {
    assertThatThrownBy(() -> ZooKeeperPeers.hosts("zookeeper://me:secret@host:1"))
        .isInstanceOf(BadOptionException.class)
        .hasMessageNotContaining("secret");
    assertThat(ZooKeeperPeers.hosts("zookeeper://h:1,i:2/")).isEqualTo("h:1,i:2");
  }
}
