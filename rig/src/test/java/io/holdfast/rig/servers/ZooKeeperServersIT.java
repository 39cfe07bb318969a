package io.holdfast.rig.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** ZooKeeper, alone and as three. */
@Timeout(180)
class ZooKeeperServersIT {

  @Test
  void a_server_answers_and_comes_back_on_its_port() {
    try (ZooKeeperServer server = ZooKeeperServer.start()) {
      assertThat(server.mode()).isEqualTo("standalone");
      assertThat(server.number("zk_num_alive_connections")).isPositive();
      int port = server.port();
      server.process().kill9();
      assertThat(server.mode()).isEmpty();
      server.process().restart();
      assertThat(server.port()).isEqualTo(port);
      assertThat(server.ask("ruok")).isEqualTo("imok");
    }
  }

  @Test
  void three_have_a_leader_and_another_when_it_is_killed_or_one_is_cut_off() {
    try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start()) {
      ensemble.awaitAll();
      ZooKeeperServer leader = ensemble.awaitLeader();
      long killed = leader.process().kill9();
      assertThat(ensemble.awaitLeader()).isNotSameAs(leader);
      Figure.since(killed, Duration.ofSeconds(5), "leader killed: another leads");
      leader.process().restart();
      ensemble.awaitAll();
      ZooKeeperServer follower = ensemble.follower();
      ensemble.cutOff(follower);
      Await.until("it serves nobody", Duration.ofSeconds(30), () -> follower.mode().isEmpty());
      assertThat(ensemble.awaitLeader()).isNotSameAs(follower);
      ensemble.heal(follower);
      ensemble.awaitAll();
    }
  }
}
