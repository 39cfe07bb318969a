package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.servers.RedisCluster;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.SlotMigration;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ClusterIT {

  private static RedisCluster cluster;

  private final RememberedSignals heard = new RememberedSignals();

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static String uri() {
    return cluster.servers().stream()
        .map(server -> "127.0.0.1:" + server.port())
        .collect(Collectors.joining(",", "redis-cluster://", ""));
  }

  private static List<ScriptCall> increments(int count) {
    List<ScriptCall> calls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      calls.add(ConnectionScene.call(ConnectionScene.INCREMENT, "{hf:" + i + "}:n"));
    }
    return calls;
  }

  private static RedisServer otherThan(RedisServer master) {
    return cluster.masters().stream()
        .filter(server -> server.port() != master.port())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_batch_goes_to_all_nodes_over_one_connection_each() throws Exception {
    try (ServerTopology topology = ConnectionScene.open(uri());
        LaneConnection connection = topology.connect()) {
      assertThat(topology.isCluster()).isTrue();
      List<ScriptReply> replies = connection.run(increments(200));
      assertThat(replies).hasSize(200);
      replies.forEach(reply -> assertThat(ConnectionScene.value(reply)).isInstanceOf(Long.class));
      for (RedisServer master : cluster.masters()) {
        assertThat(master.call("CLIENT", "LIST").lines().filter(ClusterIT::isOurs)).hasSize(1);
      }
    }
  }

  private static boolean isOurs(String client) {
    return client.contains("name=holdfast");
  }

  @Test
  void the_run_id_is_that_of_the_node_that_has_the_key() throws Exception {
    try (ServerTopology topology = ConnectionScene.open(uri());
        LaneConnection connection = topology.connect()) {
      for (int i = 0; i < 20; i++) {
        String key = "{hf:" + i + "}:id";
        ScriptReply reply =
            connection.run(List.of(ConnectionScene.call(ConnectionScene.RUN_ID, key))).get(0);
        assertThat(ConnectionScene.text(ConnectionScene.value(reply)))
            .isEqualTo(cluster.nodeOf(cluster.slotOf(key)).runId());
      }
    }
  }

  @Test
  void a_slot_is_followed_while_and_after_it_moves() throws Exception {
    String key = "{hf:moving}:n";
    int slot = cluster.slotOf(key);
    try (ServerTopology topology = ConnectionScene.open(uri());
        LaneConnection connection = topology.connect()) {
      List<ScriptCall> call =
          List.of(ConnectionScene.call(ConnectionScene.INCREMENT, key), increments(1).get(0));
      assertThat(ConnectionScene.value(connection.run(call).get(0))).isEqualTo(1L);
      SlotMigration migration = cluster.migrate(slot, otherThan(cluster.nodeOf(slot)));
      assertThat(ConnectionScene.value(connection.run(call).get(0))).isEqualTo(2L);
      migration.moveKeys();
      migration.to().call("SCRIPT", "FLUSH");
      assertThat(ConnectionScene.value(connection.run(call).get(0))).isEqualTo(3L);
      assertThat(ConnectionScene.value(connection.run(call).get(0))).isEqualTo(4L);
      migration.finish();
      assertThat(ConnectionScene.value(connection.run(call).get(0))).isEqualTo(5L);
      assertThat(ConnectionScene.value(connection.run(call).get(0))).isEqualTo(6L);
      connection
          .run(call)
          .forEach(reply -> assertThat(reply).isInstanceOf(ScriptReply.Value.class));
    }
  }

  @Test
  void commands_go_where_the_key_is() throws Exception {
    try (ServerTopology topology = ConnectionScene.open(uri());
        LaneConnection connection = topology.connect()) {
      connection.run(increments(20));
      for (int i = 0; i < 20; i++) {
        ScriptReply reply =
            connection.command(
                ConnectionScene.text("TYPE"), ConnectionScene.text("{hf:" + i + "}:n"));
        assertThat(ConnectionScene.text(ConnectionScene.value(reply))).isEqualTo("string");
      }
    }
  }

  @Test
  void every_master_can_be_looked_through() throws Exception {
    try (ServerTopology topology = ConnectionScene.open(uri())) {
      List<LaneConnection> wires = topology.masters();
      assertThat(wires).hasSize(3);
      for (LaneConnection connection : wires) {
        assertThat(
                ConnectionScene.value(
                    connection.command(ConnectionScene.text("SCAN"), ConnectionScene.text("0"))))
            .isInstanceOf(List.class);
        connection.close();
      }
    }
  }

  @Test
  void a_node_that_fails_costs_its_own_calls_alone_until_it_has_a_successor() throws Exception {
    try (ServerTopology topology = ConnectionScene.open(uri());
        LaneConnection connection = topology.connect();
        Subscription subscription = topology.subscribe(heard)) {
      connection.run(increments(60));
      String channel = "{hf:0}:bell";
      subscription.add(channel);
      heard.awaitArmed(channel, 1);
      RedisServer dead = cluster.nodeOf(cluster.slotOf("{hf:0}:n"));
      dead.process().kill9();
      assertOnly(EngineException.Unknown.class, dead, connection.run(increments(60)));
      assertOnly(EngineException.NotDone.class, dead, connection.run(increments(60)));
      RedisServer promoted = cluster.failover(cluster.slotOf("{hf:0}:n"));
      Await.until(
          "all done again",
          ConnectionScene.BOUND,
          () ->
              connection.run(increments(60)).stream()
                  .allMatch(ScriptReply.Value.class::isInstance));
      heard.awaitArmed(channel, 2);
      assertThat(heard.timesLost(channel)).isEqualTo(1);
      promoted.call("SPUBLISH", channel, "rings");
      heard.awaitMessage(channel + "=rings");
      cluster.restart(dead);
    }
  }

  private static void assertOnly(
      Class<? extends EngineException> kind, RedisServer dead, List<ScriptReply> replies) {
    for (int i = 0; i < replies.size(); i++) {
      boolean his = slotsOf(dead, i);
      if (his) {
        assertThat(ConnectionScene.failure(replies.get(i))).isInstanceOf(kind);
      } else {
        assertThat(replies.get(i)).isInstanceOf(ScriptReply.Value.class);
      }
    }
  }

  /** As the others still see it. */
  private static boolean slotsOf(RedisServer node, int i) {
    return cluster.nodeOf(cluster.slotOf("{hf:" + i + "}:n")).port() == node.port();
  }

  @Test
  void a_node_that_hangs_costs_its_own_calls_alone() throws Exception {
    try (ServerTopology topology = ConnectionScene.open(uri(), Duration.ofMillis(500));
        LaneConnection connection = topology.connect()) {
      connection.run(increments(60));
      RedisServer hanging = cluster.nodeOf(cluster.slotOf("{hf:0}:n"));
      hanging.process().pause();
      try {
        long before = System.nanoTime();
        List<ScriptReply> replies = connection.run(increments(60));
        Figure.since(before, Duration.ofMillis(700), "redis: a batch past a node that hangs");
        assertOnly(EngineException.Unknown.class, hanging, replies);
      } finally {
        hanging.process().resume();
      }
      cluster.awaitReady();
    }
  }

  @Test
  void channels_of_all_buckets_take_one_connection_a_node_and_follow_their_slots() {
    try (ServerTopology topology = ConnectionScene.open(uri());
        Subscription subscription = topology.subscribe(heard)) {
      for (int i = 0; i < 4096; i++) {
        subscription.add("{hf:" + i + "}:wake:me");
      }
      Await.until("all armed", ConnectionScene.BOUND, () -> heard.channels() == 4096);
      for (RedisServer master : cluster.masters()) {
        assertThat(master.call("CLIENT", "LIST", "TYPE", "pubsub").lines()).hasSize(1);
      }
      String channel = "{hf:77}:wake:me";
      int slot = cluster.slotOf(channel);
      RedisServer from = cluster.nodeOf(slot);
      SlotMigration migration = cluster.migrate(slot, otherThan(from));
      migration.finish();
      heard.awaitArmed(channel, 2);
      assertThat(heard.timesLost(channel)).isEqualTo(1);
      migration.to().call("SPUBLISH", channel, "moved");
      heard.awaitMessage(channel + "=moved");
      cluster.migrate(slot, from).finish();
      heard.awaitArmed(channel, 3);
      from.call("SPUBLISH", channel, "home");
      heard.awaitMessage(channel + "=home");
      for (int i = 0; i < 50; i++) {
        subscription.remove(channel);
        subscription.add(channel);
      }
      heard.awaitArmed(channel, 4);
      assertThat(heard.timesLost(channel)).isEqualTo(2);
    }
  }

  @Test
  void one_dead_seed_does_not_matter_and_none_at_all_is_not_done() throws Exception {
    int port = cluster.masters().get(0).port();
    try (ServerTopology topology =
            ConnectionScene.open("redis-cluster://127.0.0.1:1,127.0.0.1:" + port);
        LaneConnection connection = topology.connect();
        Subscription subscription = topology.subscribe(heard)) {
      assertThat(connection.run(increments(1)).get(0)).isInstanceOf(ScriptReply.Value.class);
      subscription.add("{hf:5}:c");
      heard.awaitArmed("{hf:5}:c", 1);
    }
    try (ServerTopology topology =
            ConnectionScene.open("redis-cluster://127.0.0.1:1,127.0.0.1:" + port);
        Subscription subscription = topology.subscribe(heard)) {
      subscription.add("{hf:6}:c");
      heard.awaitArmed("{hf:6}:c", 1);
    }
    try (ServerTopology topology =
        ConnectionScene.open("redis-cluster://127.0.0.1:1,127.0.0.1:2")) {
      assertThatThrownBy(topology::connect)
          .isInstanceOf(EngineException.NotDone.class)
          .hasMessageContaining("127.0.0.1:2");
    }
  }

  @Test
  void the_wrong_scheme_is_told() {
    try (RedisServer single = RedisServer.start();
        ServerTopology asCluster =
            ConnectionScene.open("redis-cluster://127.0.0.1:" + single.port());
        ServerTopology asSingle =
            ConnectionScene.open(ConnectionScene.uri(cluster.masters().get(0)))) {
      assertThatThrownBy(asCluster::connect)
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("use redis://");
      assertThatThrownBy(asSingle::connect)
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("use redis-cluster://");
    }
  }
}
