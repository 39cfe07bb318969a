package io.holdfast.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.Await;
import io.holdfast.rig.Figure;
import io.holdfast.rig.RedisCluster;
import io.holdfast.rig.RedisServer;
import io.holdfast.rig.SlotMigration;
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

  private static List<Call> increments(int count) {
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      calls.add(Scene.call(Scene.INCREMENT, "{hf:" + i + "}:n"));
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
    try (Wiring wiring = Scene.open(uri());
        Wire wire = wiring.connect()) {
      assertThat(wiring.isCluster()).isTrue();
      List<Reply> replies = wire.run(increments(200));
      assertThat(replies).hasSize(200);
      replies.forEach(reply -> assertThat(Scene.value(reply)).isInstanceOf(Long.class));
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
    try (Wiring wiring = Scene.open(uri());
        Wire wire = wiring.connect()) {
      for (int i = 0; i < 20; i++) {
        String key = "{hf:" + i + "}:id";
        Reply reply = wire.run(List.of(Scene.call(Scene.RUN_ID, key))).get(0);
        assertThat(Scene.text(Scene.value(reply)))
            .isEqualTo(cluster.nodeOf(cluster.slotOf(key)).runId());
      }
    }
  }

  @Test
  void a_slot_is_followed_while_and_after_it_moves() throws Exception {
    String key = "{hf:moving}:n";
    int slot = cluster.slotOf(key);
    try (Wiring wiring = Scene.open(uri());
        Wire wire = wiring.connect()) {
      List<Call> call = List.of(Scene.call(Scene.INCREMENT, key), increments(1).get(0));
      assertThat(Scene.value(wire.run(call).get(0))).isEqualTo(1L);
      SlotMigration migration = cluster.migrate(slot, otherThan(cluster.nodeOf(slot)));
      assertThat(Scene.value(wire.run(call).get(0))).isEqualTo(2L);
      migration.moveKeys();
      migration.to().call("SCRIPT", "FLUSH");
      assertThat(Scene.value(wire.run(call).get(0))).isEqualTo(3L);
      assertThat(Scene.value(wire.run(call).get(0))).isEqualTo(4L);
      migration.finish();
      assertThat(Scene.value(wire.run(call).get(0))).isEqualTo(5L);
      assertThat(Scene.value(wire.run(call).get(0))).isEqualTo(6L);
      wire.run(call).forEach(reply -> assertThat(reply).isInstanceOf(Reply.Value.class));
    }
  }

  @Test
  void commands_go_where_the_key_is() throws Exception {
    try (Wiring wiring = Scene.open(uri());
        Wire wire = wiring.connect()) {
      wire.run(increments(20));
      for (int i = 0; i < 20; i++) {
        Reply reply = wire.command(Scene.text("TYPE"), Scene.text("{hf:" + i + "}:n"));
        assertThat(Scene.text(Scene.value(reply))).isEqualTo("string");
      }
    }
  }

  @Test
  void every_master_can_be_looked_through() throws Exception {
    try (Wiring wiring = Scene.open(uri())) {
      List<Wire> wires = wiring.masters();
      assertThat(wires).hasSize(3);
      for (Wire wire : wires) {
        assertThat(Scene.value(wire.command(Scene.text("SCAN"), Scene.text("0"))))
            .isInstanceOf(List.class);
        wire.close();
      }
    }
  }

  @Test
  void a_node_that_fails_costs_its_own_calls_alone_until_it_has_a_successor() throws Exception {
    try (Wiring wiring = Scene.open(uri());
        Wire wire = wiring.connect();
        Subscription subscription = wiring.subscribe(heard)) {
      wire.run(increments(60));
      String channel = "{hf:0}:bell";
      subscription.add(channel);
      heard.awaitArmed(channel, 1);
      RedisServer dead = cluster.nodeOf(cluster.slotOf("{hf:0}:n"));
      dead.process().kill9();
      assertOnly(EngineException.Unknown.class, dead, wire.run(increments(60)));
      assertOnly(EngineException.NotDone.class, dead, wire.run(increments(60)));
      RedisServer promoted = cluster.failover(cluster.slotOf("{hf:0}:n"));
      Await.until(
          "all done again",
          Scene.BOUND,
          () -> wire.run(increments(60)).stream().allMatch(Reply.Value.class::isInstance));
      heard.awaitArmed(channel, 2);
      assertThat(heard.timesLost(channel)).isEqualTo(1);
      promoted.call("SPUBLISH", channel, "rings");
      heard.awaitMessage(channel + "=rings");
      cluster.restart(dead);
    }
  }

  private static void assertOnly(
      Class<? extends EngineException> kind, RedisServer dead, List<Reply> replies) {
    for (int i = 0; i < replies.size(); i++) {
      boolean his = slotsOf(dead, i);
      if (his) {
        assertThat(Scene.failure(replies.get(i))).isInstanceOf(kind);
      } else {
        assertThat(replies.get(i)).isInstanceOf(Reply.Value.class);
      }
    }
  }

  /** As the others still see it. */
  private static boolean slotsOf(RedisServer node, int i) {
    return cluster.nodeOf(cluster.slotOf("{hf:" + i + "}:n")).port() == node.port();
  }

  @Test
  void a_node_that_hangs_costs_its_own_calls_alone() throws Exception {
    try (Wiring wiring = Scene.open(uri(), Duration.ofMillis(500));
        Wire wire = wiring.connect()) {
      wire.run(increments(60));
      RedisServer hanging = cluster.nodeOf(cluster.slotOf("{hf:0}:n"));
      hanging.process().pause();
      try {
        long before = System.nanoTime();
        List<Reply> replies = wire.run(increments(60));
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
    try (Wiring wiring = Scene.open(uri());
        Subscription subscription = wiring.subscribe(heard)) {
      for (int i = 0; i < 4096; i++) {
        subscription.add("{hf:" + i + "}:wake:me");
      }
      Await.until("all armed", Scene.BOUND, () -> heard.channels() == 4096);
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
    try (Wiring wiring = Scene.open("redis-cluster://127.0.0.1:1,127.0.0.1:" + port);
        Wire wire = wiring.connect();
        Subscription subscription = wiring.subscribe(heard)) {
      assertThat(wire.run(increments(1)).get(0)).isInstanceOf(Reply.Value.class);
      subscription.add("{hf:5}:c");
      heard.awaitArmed("{hf:5}:c", 1);
    }
    try (Wiring wiring = Scene.open("redis-cluster://127.0.0.1:1,127.0.0.1:" + port);
        Subscription subscription = wiring.subscribe(heard)) {
      subscription.add("{hf:6}:c");
      heard.awaitArmed("{hf:6}:c", 1);
    }
    try (Wiring wiring = Scene.open("redis-cluster://127.0.0.1:1,127.0.0.1:2")) {
      assertThatThrownBy(wiring::connect)
          .isInstanceOf(EngineException.NotDone.class)
          .hasMessageContaining("127.0.0.1:2");
    }
  }

  @Test
  void the_wrong_scheme_is_told() {
    try (RedisServer single = RedisServer.start();
        Wiring asCluster = Scene.open("redis-cluster://127.0.0.1:" + single.port());
        Wiring asSingle = Scene.open(Scene.uri(cluster.masters().get(0)))) {
      assertThatThrownBy(asCluster::connect)
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("use redis://");
      assertThatThrownBy(asSingle::connect)
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("use redis-cluster://");
    }
  }
}
