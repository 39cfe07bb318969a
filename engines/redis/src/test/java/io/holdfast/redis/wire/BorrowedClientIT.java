package io.holdfast.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.Await;
import io.holdfast.rig.RedisCluster;
import io.holdfast.rig.RedisServer;
import io.holdfast.rig.SlotMigration;
import io.holdfast.spi.EngineException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;

@Timeout(90)
class BorrowedClientIT {

  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void behavesAsAnyWiring(Wiring wiring) throws Exception {
    RememberedSignals heard = new RememberedSignals();
    try (wiring;
        Wire wire = wiring.connect();
        Subscription subscription = wiring.subscribe(heard)) {
      calls(wire);
      signals(subscription, heard);
      assertThat(wiring.isCluster()).isFalse();
      assertThat(wiring.masters()).hasSize(1).allSatisfy(Wire::close);
    }
    Await.until(
        "no signals left",
        Scene.BOUND,
        () -> server.call("CLIENT", "LIST", "TYPE", "pubsub").isBlank());
  }

  private static void calls(Wire wire) {
    server.call("DEL", "n", "list");
    server.call("LPUSH", "list", "x");
    server.call("SCRIPT", "FLUSH");
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      calls.add(Scene.call(Scene.INCREMENT, "n"));
    }
    List<Reply> replies = wire.run(calls);
    for (int i = 0; i < 100; i++) {
      assertThat(Scene.value(replies.get(i))).isEqualTo(i + 1L);
    }
    List<Reply> mixed =
        wire.run(
            List.of(
                Scene.call(Scene.ECHO, "k", "v"),
                Scene.call(Scene.NOTHING, "k"),
                Scene.call(Scene.INCREMENT, "list"),
                Scene.call(Scene.RUN_ID, "k", "first")));
    assertThat(Scene.text(Scene.value(mixed.get(0)))).isEqualTo("v");
    assertThat(Scene.value(mixed.get(1))).isEqualTo(Nil.NIL);
    assertThat(Scene.failure(mixed.get(2))).isInstanceOf(EngineException.Refused.class);
    assertThat(Scene.text(Scene.value(mixed.get(3)))).isEmpty();
    assertThat(Scene.text(Scene.value(wire.command(Scene.text("TYPE"), Scene.text("n")))))
        .isEqualTo("string");
    assertThat(Scene.value(wire.command(Scene.text("SCAN"), Scene.text("0"))))
        .isInstanceOf(List.class);
  }

  private static void signals(Subscription subscription, RememberedSignals heard) {
    subscription.add("one");
    subscription.add("two");
    heard.awaitArmed("one", 1);
    heard.awaitArmed("two", 1);
    for (int i = 0; i < 20; i++) {
      subscription.remove("two");
      subscription.add("two");
    }
    heard.awaitArmed("two", 2);
    server.call("PUBLISH", "two", "hello");
    heard.awaitMessage("two=hello");
    int armed = heard.timesArmed("one");
    server.call("CLIENT", "KILL", "TYPE", "pubsub");
    heard.awaitArmed("one", armed + 1);
    assertThat(heard.timesLost("one")).isEqualTo(1);
    server.call("PUBLISH", "one", "back");
    heard.awaitMessage("one=back");
    subscription.remove("one");
    subscription.remove("two");
    subscription.add("three");
    heard.awaitArmed("three", 1);
  }

  @Nested
  class OfJedis {

    @Test
    void a_client_for_one_server_is_used_and_stays_open() throws Exception {
      try (RedisClient jedis = RedisClient.create("127.0.0.1", server.port())) {
        behavesAsAnyWiring(JedisWiring.over(jedis, false, 0));
        assertThat(jedis.ping()).isEqualTo("PONG");
      }
    }

    @Test
    void a_server_that_is_gone_is_not_done() throws Exception {
      RedisServer gone = RedisServer.start();
      try (RedisClient jedis = RedisClient.create("127.0.0.1", gone.port());
          Wiring wiring = JedisWiring.over(jedis, false, 0);
          Wire wire = wiring.connect()) {
        gone.close();
        // A connection that was in the pool breaks off.
        wire.run(List.of(Scene.call(Scene.ECHO, "k", "v")));
        assertThat(Scene.failure(wire.run(List.of(Scene.call(Scene.ECHO, "k", "v"))).get(0)))
            .isInstanceOf(EngineException.NotDone.class);
      }
    }

    @Test
    void a_client_of_a_cluster_follows_slots_and_hears_signals() throws Exception {
      RememberedSignals heard = new RememberedSignals();
      try (RedisCluster cluster = RedisCluster.start().withoutFailover();
          RedisClusterClient jedis =
              RedisClusterClient.create(
                  new HostAndPort("127.0.0.1", cluster.masters().get(0).port()));
          Wiring wiring = JedisWiring.over(jedis, false, 0);
          Wire wire = wiring.connect();
          Subscription subscription = wiring.subscribe(heard)) {
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
          calls.add(Scene.call(Scene.INCREMENT, "{hf:" + i + "}:n"));
        }
        wire.run(calls).forEach(reply -> assertThat(Scene.value(reply)).isEqualTo(1L));
        int slot = cluster.slotOf("{hf:0}:n");
        RedisServer from = cluster.nodeOf(slot);
        RedisServer to =
            cluster.masters().stream()
                .filter(master -> master.port() != from.port())
                .findFirst()
                .orElseThrow();
        SlotMigration migration = cluster.migrate(slot, to);
        migration.moveKeys();
        wire.run(calls).forEach(reply -> assertThat(Scene.value(reply)).isEqualTo(2L));
        migration.finish();
        wire.run(calls).forEach(reply -> assertThat(Scene.value(reply)).isEqualTo(3L));
        assertThat(wiring.masters()).hasSize(3).allSatisfy(Wire::close);
        subscription.add("bell");
        heard.awaitArmed("bell", 1);
        to.call("PUBLISH", "bell", "rings");
        heard.awaitMessage("bell=rings");
      }
    }

    @Test
    void the_profiles_that_need_connections_of_their_own_are_refused() {
      try (RedisClient jedis = RedisClient.create("127.0.0.1", server.port())) {
        assertThatThrownBy(() -> JedisWiring.over(jedis, true, 0))
            .hasMessageContaining("strict profile needs connections of its own");
        assertThatThrownBy(() -> JedisWiring.over(jedis, false, 1))
            .hasMessageContaining("minReplicas=1");
      }
    }
  }

  @Nested
  class OfLettuce {

    @Test
    void a_client_for_one_server_is_used_and_stays_open() throws Exception {
      io.lettuce.core.RedisClient lettuce =
          io.lettuce.core.RedisClient.create("redis://127.0.0.1:" + server.port());
      try {
        behavesAsAnyWiring(LettuceWiring.over(lettuce, Scene.TIMEOUT, false, 0));
        try (var connection = lettuce.connect()) {
          assertThat(connection.sync().ping()).isEqualTo("PONG");
        }
      } finally {
        lettuce.shutdown();
      }
    }

    @Test
    void the_strict_profile_is_refused() {
      io.lettuce.core.RedisClient lettuce =
          io.lettuce.core.RedisClient.create("redis://127.0.0.1:" + server.port());
      try {
        assertThatThrownBy(() -> LettuceWiring.over(lettuce, Scene.TIMEOUT, true, 0))
            .hasMessageContaining("strict profile needs connections of its own");
      } finally {
        lettuce.shutdown();
      }
    }
  }
}
