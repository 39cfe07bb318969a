package io.holdfast.rig.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.process.Ports;
import io.holdfast.rig.time.Await;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class EtcdServerIT {

  private static final String HAS_LEADER = "etcd_server_has_leader";
  private static final Duration LONG = Duration.ofSeconds(30);

  @Test
  void it_keeps_what_it_has_over_a_kill_and_is_gone_after_close() {
    EtcdServer server = EtcdServer.start();
    try (server) {
      assertThat(server.leads()).isTrue();
      assertThat(server.ctl("put", "a/1", "x")).contains("OK");
      server.ctl("put", "a/2", "y");
      long revision = server.revision();
      server.process().kill9();
      server.process().restart();
      assertThat(server.keys("a/")).containsExactly("a/1", "a/2");
      assertThat(server.revision()).isEqualTo(revision);
      server.compact();
      server.delete("a/1");
      assertThat(server.keys("a/")).containsExactly("a/2");
      assertThat(server.metric(HAS_LEADER)).isEqualTo(1);
    }
    assertThat(Ports.isFree(server.port())).isTrue();
  }

  @Test
  void a_member_that_is_cut_off_hears_nothing_until_it_is_healed() {
    try (EtcdCluster cluster = EtcdCluster.start()) {
      int leader = cluster.leader();
      int follower = cluster.follower();
      try (PeerPartition cut = cluster.cutOff(follower)) {
        assertThat(cut).isNotNull();
        // Until each connection has sent something, and is known by that.
        Await.until(
            "it knows no leader", LONG, () -> cluster.member(follower).metric(HAS_LEADER) == 0);
        cluster.member(leader).ctl("put", "k", "v");
        assertThat(cluster.member(follower).ctl("get", "k", "--consistency=s")).isBlank();
      }
      Await.until("it has caught up", LONG, () -> !cluster.member(follower).keys("k").isEmpty());
      cluster.member(leader).process().kill9();
      assertThat(cluster.leaderOtherThan(leader)).isNotEqualTo(leader);
    }
  }
}
