package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.servers.RedisCluster;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.SlotMigration;
import io.holdfast.rig.time.Await;
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
class CallerSuppliedClientIT {

  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void behavesAsAnyWiring(ServerTopology topology) throws Exception {
    RememberedSignals heard = new RememberedSignals();
    try (topology;
        LaneConnection connection = topology.connect();
        Subscription subscription = topology.subscribe(heard)) {
      calls(connection);
      signals(subscription, heard);
      assertThat(topology.isCluster()).isFalse();
      assertThat(topology.masters()).hasSize(1).allSatisfy(LaneConnection::close);
    }
    Await.until(
        "no signals left",
        ConnectionScene.BOUND,
        () -> server.call("CLIENT", "LIST", "TYPE", "pubsub").isBlank());
  }

  private static void calls(LaneConnection connection) {
    server.call("DEL", "n", "list");
    server.call("LPUSH", "list", "x");
    server.call("SCRIPT", "FLUSH");
    List<ScriptCall> calls = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      calls.add(ConnectionScene.call(ConnectionScene.INCREMENT, "n"));
    }
    List<ScriptReply> replies = connection.run(calls);
    for (int i = 0; i < 100; i++) {
      assertThat(ConnectionScene.value(replies.get(i))).isEqualTo(i + 1L);
    }
    List<ScriptReply> mixed =
        connection.run(
            List.of(
                ConnectionScene.call(ConnectionScene.ECHO, "k", "v"),
                ConnectionScene.call(ConnectionScene.NOTHING, "k"),
                ConnectionScene.call(ConnectionScene.INCREMENT, "list"),
                ConnectionScene.call(ConnectionScene.RUN_ID, "k", "first")));
    assertThat(ConnectionScene.text(ConnectionScene.value(mixed.get(0)))).isEqualTo("v");
    assertThat(ConnectionScene.value(mixed.get(1))).isEqualTo(ScriptReply.Nil.NIL);
    assertThat(ConnectionScene.failure(mixed.get(2))).isInstanceOf(EngineException.Refused.class);
    assertThat(ConnectionScene.text(ConnectionScene.value(mixed.get(3)))).isEmpty();
    assertThat(
            ConnectionScene.text(
                ConnectionScene.value(
                    connection.command(ConnectionScene.text("TYPE"), ConnectionScene.text("n")))))
        .isEqualTo("string");
    assertThat(
            ConnectionScene.value(
                connection.command(ConnectionScene.text("SCAN"), ConnectionScene.text("0"))))
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
        behavesAsAnyWiring(JedisClientTopology.over(jedis, false, 0));
        assertThat(jedis.ping()).isEqualTo("PONG");
      }
    }

    @Test
    void a_server_that_is_gone_is_not_done() throws Exception {
      RedisServer gone = RedisServer.start();
      try (RedisClient jedis = RedisClient.create("127.0.0.1", gone.port());
          ServerTopology topology = JedisClientTopology.over(jedis, false, 0);
          LaneConnection connection = topology.connect()) {
        gone.close();
        // A connection that was in the pool breaks off.
        connection.run(List.of(ConnectionScene.call(ConnectionScene.ECHO, "k", "v")));
        assertThat(
                ConnectionScene.failure(
                    connection
                        .run(List.of(ConnectionScene.call(ConnectionScene.ECHO, "k", "v")))
                        .get(0)))
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
          ServerTopology topology = JedisClientTopology.over(jedis, false, 0);
          LaneConnection connection = topology.connect();
          Subscription subscription = topology.subscribe(heard)) {
        List<ScriptCall> calls = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
          calls.add(ConnectionScene.call(ConnectionScene.INCREMENT, "{hf:" + i + "}:n"));
        }
        connection
            .run(calls)
            .forEach(reply -> assertThat(ConnectionScene.value(reply)).isEqualTo(1L));
        int slot = cluster.slotOf("{hf:0}:n");
        RedisServer from = cluster.nodeOf(slot);
        RedisServer to =
            cluster.masters().stream()
                .filter(master -> master.port() != from.port())
                .findFirst()
                .orElseThrow();
        SlotMigration migration = cluster.migrate(slot, to);
        migration.moveKeys();
        connection
            .run(calls)
            .forEach(reply -> assertThat(ConnectionScene.value(reply)).isEqualTo(2L));
        migration.finish();
        connection
            .run(calls)
            .forEach(reply -> assertThat(ConnectionScene.value(reply)).isEqualTo(3L));
        assertThat(topology.masters()).hasSize(3).allSatisfy(LaneConnection::close);
        subscription.add("bell");
        heard.awaitArmed("bell", 1);
        to.call("PUBLISH", "bell", "rings");
        heard.awaitMessage("bell=rings");
      }
    }

    @Test
    void the_profiles_that_need_connections_of_their_own_are_refused() {
      try (RedisClient jedis = RedisClient.create("127.0.0.1", server.port())) {
        assertThatThrownBy(() -> JedisClientTopology.over(jedis, true, 0))
            .hasMessageContaining("strict profile needs connections of its own");
        assertThatThrownBy(() -> JedisClientTopology.over(jedis, false, 1))
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
        behavesAsAnyWiring(LettuceClientTopology.over(lettuce, ConnectionScene.TIMEOUT, false, 0));
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
        assertThatThrownBy(
                () -> LettuceClientTopology.over(lettuce, ConnectionScene.TIMEOUT, true, 0))
            .hasMessageContaining("strict profile needs connections of its own");
      } finally {
        lettuce.shutdown();
      }
    }
  }
}
