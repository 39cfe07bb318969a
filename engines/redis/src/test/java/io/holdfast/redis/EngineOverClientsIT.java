package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockRefusedException;
import io.holdfast.Outcome;
import io.holdfast.rig.servers.RedisCluster;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.RespConnection;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;

/** Locks over clients that the program has already. */
@Timeout(90)
class EngineOverClientsIT {

  private static final Duration LONG = Duration.ofSeconds(30);

  private static RedisServer server;
  private static RedisCluster cluster;

  @BeforeAll
  static void start() {
    server = RedisServer.start("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru");
    cluster = RedisCluster.start().withoutFailover();
  }

  @AfterAll
  static void stop() {
    cluster.close();
    server.close();
  }

  private static RedisClusterClient clusterClient() {
    return RedisClusterClient.create(new HostAndPort("127.0.0.1", cluster.masters().get(0).port()));
  }

  /** Takes, contends for and releases locks of both orders, many at the same time. */
  private static void locks(Supplier<RedisEngine> engine) throws Exception {
    for (Order order : Order.values()) {
      try (Holdfast one = open(engine, order);
          Holdfast other = open(engine, order)) {
        List<CompletableFuture<Hold>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          all.add(one.lock("spread/" + i).acquireAsync(LONG));
        }
        for (CompletableFuture<Hold> each : all) {
          each.get(30, TimeUnit.SECONDS).close();
        }
        Hold first = one.lock("x").acquire(LONG);
        assertThat(other.lock("x").tryAcquire()).isEmpty();
        CompletableFuture<Hold> second = other.lock("x").acquireAsync(LONG);
        first.close();
        try (Hold hold = second.get(30, TimeUnit.SECONDS)) {
          assertThat(hold.token()).isGreaterThan(first.token());
        }
      }
    }
  }

  private static Holdfast open(Supplier<RedisEngine> engine, Order order) {
    return Holdfast.open(engine.get(), HoldfastOptions.DEFAULTS.withOrder(order));
  }

  @Test
  void locks_over_jedis() throws Exception {
    try (RedisClient jedis = RedisClient.create("127.0.0.1", server.port())) {
      locks(() -> RedisEngine.over(jedis));
      warns(RedisEngine.over(jedis));
    }
  }

  @Test
  void locks_over_lettuce() throws Exception {
    io.lettuce.core.RedisClient lettuce =
        io.lettuce.core.RedisClient.create("redis://127.0.0.1:" + server.port());
    try {
      locks(() -> LettuceRedis.engine(lettuce, Duration.ofSeconds(2)));
      warns(LettuceRedis.engine(lettuce, Duration.ofSeconds(2)));
    } finally {
      lettuce.shutdown();
    }
  }

  @Test
  void a_wrong_password_of_lettuce_is_refused_in_the_words_of_the_server() throws Exception {
    io.lettuce.core.RedisClient lettuce =
        io.lettuce.core.RedisClient.create("redis://:not-the-password@127.0.0.1:" + server.port());
    server.call("CONFIG", "SET", "requirepass", "right");
    try (RedisEngine engine = LettuceRedis.engine(lettuce, Duration.ofSeconds(2));
        Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS)) {
      assertThatThrownBy(() -> holdfast.lock("x").acquire(LONG))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContainingAll("refused the login: WRONGPASS", "check user and password")
          .hasMessageNotContaining("not-the-password");
      assertThat(holdfast.health().detail())
          .contains("refuses this client", "WRONGPASS")
          .doesNotContain("does not reply");
    } finally {
      try (RespConnection admin = server.connect()) {
        admin.call("AUTH", "right");
        admin.call("CONFIG", "SET", "requirepass", "");
      }
      lettuce.shutdown();
    }
  }

  @Test
  void locks_over_a_cluster_client_of_jedis() throws Exception {
    try (RedisClusterClient jedis = clusterClient()) {
      locks(() -> RedisEngine.over(jedis));
    }
  }

  @Test
  void locks_over_a_cluster_client_of_lettuce() throws Exception {
    io.lettuce.core.cluster.RedisClusterClient lettuce = lettuceCluster();
    try {
      locks(() -> LettuceRedis.engine(lettuce, Duration.ofSeconds(2)));
    } finally {
      lettuce.shutdown();
    }
  }

  @Test
  void a_kept_lock_and_the_listing_over_a_cluster_client_of_lettuce() throws Exception {
    io.lettuce.core.cluster.RedisClusterClient lettuce = lettuceCluster();
    try (RedisEngine engine = LettuceRedis.engine(lettuce, Duration.ofSeconds(2));
        Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS)) {
      for (int i = 0; i < 10; i++) {
        assertThat(holdfast.lock("kept/" + i).acquire(LONG).release(LONG))
            .isEqualTo(Outcome.RELEASED);
      }
      assertThat(engine.inspector().orElseThrow().list("default", "kept/", "", 100)).hasSize(10);
      assertThat(holdfast.lock("kept/3").tryAcquire()).isEmpty();
    } finally {
      lettuce.shutdown();
      cluster.masters().forEach(master -> master.call("FLUSHALL"));
    }
  }

  private static io.lettuce.core.cluster.RedisClusterClient lettuceCluster() {
    return io.lettuce.core.cluster.RedisClusterClient.create(
        "redis://127.0.0.1:" + cluster.masters().get(0).port());
  }

  @Test
  void a_cluster_client_is_looked_through_as_any_other() throws Exception {
    cluster.masters().get(1).call("CONFIG", "SET", "maxmemory", "100mb");
    cluster.masters().get(1).call("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    io.lettuce.core.cluster.RedisClusterClient lettuce = lettuceCluster();
    try (RedisClusterClient jedis = clusterClient()) {
      warns(RedisEngine.over(jedis));
      warns(LettuceRedis.engine(lettuce, Duration.ofSeconds(2)));
    } finally {
      lettuce.shutdown();
      cluster.masters().get(1).call("CONFIG", "SET", "maxmemory", "0");
    }
  }

  /** The check of own connections is made here too, with no right but to INFO. */
  private static void warns(RedisEngine engine) throws EngineException {
    try (engine;
        LockEngine lane = engine.lane()) {
      assertThat(lane.traits()).isEqualTo(engine.traits());
      assertThat(engine.condition().warnings())
          .hasSize(1)
          .allSatisfy(warning -> assertThat(warning).contains("maxmemory-policy is allkeys-lru"));
    }
  }

  @Test
  void a_batch_over_a_cluster_client_is_granted_whatever_its_slots() throws Exception {
    try (RedisClusterClient jedis = clusterClient();
        Player player = new Player(RedisEngine.over(jedis), "one");
        LockEngine lane = player.engine().lane()) {
      List<Standing> answers = new ArrayList<>();
      List<EngineException> failures = new ArrayList<>();
      Verb.Answer<Standing> answer =
          new Verb.Answer<>() {
            @Override
            public void answered(Standing standing) {
              answers.add(standing);
            }

            @Override
            public void failed(EngineException failure) {
              failures.add(failure);
            }
          };
      lane.perform(
          List.of(
              new Verb.Attempt(player.ticket("batch/1", Player.MUTEX), () -> {}, answer),
              new Verb.Attempt(player.ticket("batch/2", Player.MUTEX), () -> {}, answer),
              new Verb.Attempt(player.ticket("batch/3", Player.FIFO), () -> {}, answer)));
      assertThat(failures).isEmpty();
      assertThat(answers).hasSize(3).hasOnlyElementsOfType(Standing.Granted.class);
    }
  }
}
