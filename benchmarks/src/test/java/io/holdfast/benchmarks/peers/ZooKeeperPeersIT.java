package io.holdfast.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.CliException;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
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
    server = ZooKeeperServer.start(ZooKeeperServerOptions.PLAIN.withTick(Duration.ofSeconds(2)));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        Peers.CURATOR_MUTEX,
        Peers.CURATOR_SEMAPHORE,
        Peers.CURATOR_FRAMEWORK,
        Peers.ZOOKEEPER_RAW
      })
  void a_second_caller_waits_until_the_first_has_released(String name) throws Exception {
    PeerRules.aSecondCallerWaits(ContenderSpec.peer(name, server.uri()).contender(), name, folder);
  }

  @Test
  void three_processes_keep_apart() throws Exception {
    PeerRules.threeProcessesKeepApart(
        ContenderSpec.peer(Peers.CURATOR_MUTEX, server.uri()), folder);
  }

  @Test
  void what_is_no_plain_address_is_refused_and_not_quoted() {
    assertThatThrownBy(() -> PeerAddresses.zooKeeperHosts("zookeeper://me:secret@host:1"))
        .isInstanceOf(CliException.class)
        .hasMessageNotContaining("secret");
    assertThat(PeerAddresses.zooKeeperHosts("zookeeper://h:1,i:2/")).isEqualTo("h:1,i:2");
  }
}
