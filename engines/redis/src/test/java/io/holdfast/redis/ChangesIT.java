package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.Loss;
import io.holdfast.Outcome;
import io.holdfast.rig.Await;
import io.holdfast.rig.Figure;
import io.holdfast.rig.RedisCluster;
import io.holdfast.rig.RedisSentinels;
import io.holdfast.rig.RedisServer;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.Verdict;
import io.holdfast.spi.Order;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Holders are told of what operators do to their records, at once. */
@Timeout(90)
class ChangesIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration TOLD = Duration.ofMillis(300);

  /** How an operator ends a hold. */
  private interface Ending {
    Verdict end(EngineInspector inspector, Resource resource, long token) throws Exception;
  }

  @Test
  @DisplayName("one server: revoke and evict are told within 300 ms at the default lease")
  void single() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      revokeAndEvict("one server", server.uri());
    }
  }

  @Test
  @DisplayName("Sentinel: revoke and evict are told within 300 ms at the default lease")
  void sentinel() throws Exception {
    try (RedisSentinels sentinels = RedisSentinels.start().withoutFailover()) {
      revokeAndEvict("Sentinel", sentinels.uri());
    }
  }

  @Test
  @DisplayName("Cluster: revoke and evict are told within 300 ms at the default lease")
  void cluster() throws Exception {
    try (RedisCluster cluster = RedisCluster.start().withoutFailover()) {
      revokeAndEvict("Cluster", cluster.uri());
    }
  }

  @Test
  @DisplayName("a deletion by hand is told within 300 ms if it is published")
  void byHand() throws Exception {
    try (RedisServer server = RedisServer.start();
        Holdfast holder = Holdfast.connect(server.uri())) {
      holder.lock("warm").acquire(LONG).close();
      awaitListener(server);
      for (String published : List.of("default:deleted", "")) {
        Hold hold = holder.lock("deleted").acquire(LONG);
        CompletableFuture<Loss> told = new CompletableFuture<>();
        hold.onLoss(told::complete);
        long start = System.nanoTime();
        server.call("DEL", lockKey(server));
        server.call("PUBLISH", "{hf:changes}", published);
        told.get(LONG.toSeconds(), TimeUnit.SECONDS);
        Figure.since(start, TOLD, "deleted by hand and published (" + published + "): told");
        assertThat(hold.release()).isEqualTo(Outcome.LOST);
      }
    }
  }

  @Test
  @DisplayName("what was published while nobody could listen is noticed when listening goes on")
  void afterGap() throws Exception {
    try (RedisServer server = RedisServer.start();
        Holdfast holder = Holdfast.connect(server.uri());
        Holdfast operator = Holdfast.connect(server.uri())) {
      Hold hold = holder.lock("gap").acquire(LONG);
      awaitListener(server);
      CompletableFuture<Loss> told = new CompletableFuture<>();
      hold.onLoss(told::complete);
      server.call("DEL", lockKey(server));
      server.call("CLIENT", "KILL", "TYPE", "pubsub");
      long killed = System.nanoTime();
      told.get(LONG.toSeconds(), TimeUnit.SECONDS);
      Figure.since(killed, Duration.ofSeconds(1), "deletion in a gap of the signals: told");
      assertThat(operator.lock("gap").tryAcquire()).isPresent();
    }
  }

  @Test
  @DisplayName("a client listens once, from its first hold on, and not for each hold")
  void listensOnce() throws Exception {
    try (RedisServer server = RedisServer.start();
        Holdfast client = Holdfast.connect(server.uri())) {
      assertThat(listeners(server)).isZero();
      client.lock("first").acquire(LONG).close();
      awaitListener(server);
      long subscribes = calls(server, "subscribe");
      for (int i = 0; i < 200; i++) {
        client.lock("n" + i).acquire(LONG).close();
      }
      assertThat(listeners(server)).isOne();
      assertThat(calls(server, "subscribe")).isEqualTo(subscribes);
    }
  }

  private static void revokeAndEvict(String store, String uri) throws Exception {
    try (Holdfast holder = Holdfast.connect(uri);
        Holdfast operator = Holdfast.connect(uri)) {
      EngineInspector inspector = operator.inspector().orElseThrow();
      holder.lock("warm").acquire(LONG).close();
      for (Order order : List.of(Order.ANY, Order.FIFO)) {
        ends(
            store + ", " + order + ", revoked: told",
            holder,
            order,
            inspector,
            (by, resource, token) -> by.revoke(resource, token, "wanted elsewhere"));
        ends(
            store + ", " + order + ", evicted: told",
            holder,
            order,
            inspector,
            (by, resource, token) -> by.evict(resource, token, "wanted elsewhere"));
      }
    }
  }

  private static void ends(
      String what, Holdfast holder, Order order, EngineInspector inspector, Ending ending)
      throws Exception {
    String name = what.replace(' ', '-');
    Hold hold = holder.with(options -> options.withOrder(order)).lock(name).acquire(LONG);
    CompletableFuture<Loss> told = new CompletableFuture<>();
    hold.onLoss(told::complete);
    long start = System.nanoTime();
    Verdict verdict = ending.end(inspector, new Resource("default", name), hold.token());
    assertThat(verdict).isEqualTo(Verdict.DONE);
    told.get(LONG.toSeconds(), TimeUnit.SECONDS);
    Figure.since(start, TOLD, what);
    assertThat(hold.release()).isEqualTo(Outcome.LOST);
  }

  private static String lockKey(RedisServer server) {
    return server.call("KEYS", "{hf:*}:l:*").lines().findFirst().orElseThrow();
  }

  private static void awaitListener(RedisServer server) {
    Await.until("a listener", LONG, () -> listeners(server) == 1);
    Await.until(
        "the channel", LONG, () -> server.call("PUBSUB", "NUMSUB", "{hf:changes}").endsWith("\n1"));
  }

  private static long listeners(RedisServer server) {
    return server
        .call("CLIENT", "LIST", "TYPE", "pubsub")
        .lines()
        .filter(s -> !s.isEmpty())
        .count();
  }

  private static long calls(RedisServer server, String command) {
    return server
        .call("INFO", "commandstats")
        .lines()
        .filter(line -> line.startsWith("cmdstat_" + command + ":"))
        .map(line -> line.replaceAll(".*calls=(\\d+),.*", "$1"))
        .mapToLong(Long::parseLong)
        .sum();
  }
}
