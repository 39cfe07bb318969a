package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.LockRefusedException;
import io.holdfast.StaleTokenException;
import io.holdfast.rig.servers.RedisCluster;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector.LineView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.UnifiedJedis;

/** Rights, listings and guards where keys are spread over servers. */
class OnAClusterIT {

  private static final GuardedWrite SET =
      new GuardedWrite(
          "return redis.call('SET', KEYS[1], ARGV[1])", List.of("order:42"), List.of("paid"));

  private static RedisCluster cluster;

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start().withoutFailover();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static void allow(AclFile rules) {
    String[] command =
        Stream.concat(
                Stream.of("ACL", "SETUSER", AclFile.USER, "reset", "on", ">" + AclFile.PASSWORD),
                rules.rules().stream())
            .toArray(String[]::new);
    for (RedisServer server : cluster.servers()) {
      server.call(command);
      server.call("ACL", "LOG", "RESET");
    }
  }

  private static String uri() {
    return cluster.uri().replace("://", "://" + AclFile.USER + ":" + AclFile.PASSWORD + "@");
  }

  @Test
  void u45_everything_works_with_the_documented_rights() throws Exception {
    AclFile acl = AclFile.line(1);
    allow(acl);
    EveryFeature.at(uri());
    for (RedisServer server : cluster.servers()) {
      assertThat(server.call("ACL", "LOG")).isEmpty();
    }
    for (String needed : List.of("+cluster|slots", "+ssubscribe", "+spublish")) {
      allow(acl.without(needed));
      assertThat(catchThrowable(() -> EveryFeature.at(uri()))).as(needed).isNotNull();
    }
  }

  @Test
  void u17_lines_of_all_servers_are_listed_in_one_order() throws Exception {
    try (Player player = new Player(cluster.uri(), "one")) {
      List<String> names = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        names.add(String.format("spread/%02d", i));
        player.in(player.ticket(names.get(i), i % 2 == 0 ? Player.MUTEX : Player.FIFO));
      }
      List<LineView> first = player.inspector().list("default", "spread/", "", 50);
      List<LineView> rest = player.inspector().list("default", "spread/", "spread/49", 50);
      assertThat(Stream.concat(first.stream(), rest.stream()))
          .extracting(line -> line.resource().name())
          .containsExactlyElementsOf(names);
    }
  }

  @Test
  void u17_a_client_that_is_handed_in_lists_all_with_the_documented_rights_or_nothing()
      throws Exception {
    allow(AclFile.line(1));
    JedisClientConfig login =
        DefaultJedisClientConfig.builder()
            .user(AclFile.USER)
            .password(AclFile.PASSWORD)
            .timeoutMillis(1_000)
            .build();
    HostAndPort node = new HostAndPort("127.0.0.1", cluster.servers().get(0).port());
    try (UnifiedJedis client =
            RedisClusterClient.builder().nodes(Set.of(node)).clientConfig(login).build();
        Player player = new Player(RedisEngine.over(client), "one")) {
      for (int i = 0; i < 30; i++) {
        player.in(player.ticket("handed/" + i, Player.MUTEX));
      }
      assertThat(player.inspector().list("default", "handed/", "", 50)).hasSize(30);
      RedisServer silent = cluster.masters().get(1);
      silent.process().pause();
      try {
        assertThatThrownBy(() -> player.inspector().list("default", "handed/", "", 50))
            .isInstanceOf(EngineException.class);
      } finally {
        silent.process().resume();
      }
    }
  }

  @Test
  void u06_a_guard_stands_beside_the_data() throws Exception {
    HostAndPort node = new HostAndPort("127.0.0.1", cluster.servers().get(0).port());
    try (UnifiedJedis client = RedisClusterClient.create(Set.of(node));
        RedisFenceGuard byClient = RedisFenceGuard.over(client);
        RedisFenceGuard byAddress = RedisFenceGuard.connect(cluster.uri())) {
      for (RedisFenceGuard guard : List.of(byClient, byAddress)) {
        long token = guard == byClient ? 1L << 60 : (1L << 60) + 2;
        RedisFenceGuard beside = guard.beside("order:42");
        beside.claim("orders/42", token, "a");
        assertThat(beside.run("orders/42", token, "a", SET)).isEqualTo("OK");
        beside.claim("orders/42", token + 1, "b");
        assertThatThrownBy(() -> beside.run("orders/42", token - 1, "a", SET))
            .isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> guard.run("orders/42", 5, "a", SET))
            .isInstanceOf(LockRefusedException.class)
            .hasMessageContaining("tag");
      }
    }
  }
}
