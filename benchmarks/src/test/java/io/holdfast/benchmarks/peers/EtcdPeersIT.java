package io.holdfast.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.CliException;
import io.holdfast.rig.servers.EtcdServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every peer over etcd is a lock: among threads and among clients. */
@Timeout(120)
class EtcdPeersIT {

  private static EtcdServer server;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    server = EtcdServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {Peers.JETCD_LOCK, Peers.ETCD_TXN})
  void a_second_caller_waits_until_the_first_has_released(String name) throws Exception {
    PeerRules.aSecondCallerWaits(ContenderSpec.peer(name, server.uri()).contender(), name, folder);
  }

  @Test
  void what_is_no_plain_address_is_refused_and_not_quoted() {
    assertThatThrownBy(() -> PeerAddresses.etcdEndpoint("etcd://me:secret@host:1"))
        .isInstanceOf(CliException.class)
        .hasMessageNotContaining("secret");
    assertThat(PeerAddresses.etcdEndpoint("etcd://h:1")).isEqualTo("http://h:1");
  }
}
