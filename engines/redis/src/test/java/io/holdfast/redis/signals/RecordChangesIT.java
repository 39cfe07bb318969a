package io.holdfast.redis.signals;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.Loss;
import io.holdfast.Outcome;
import io.holdfast.rig.servers.RedisCluster;
import io.holdfast.rig.servers.RedisSentinels;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Holders are told of what operators do to their records, at once. */
@Timeout(90)
class RecordChangesIT {

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
  @DisplayName("one server: what is deleted by hand is told within 300 ms, and nobody publishes")
  void byHand() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      deletions("one server", server.uri(), List.of(server));
    }
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  @DisplayName("a deletion right after the grant is noticed by the first look, not by a renewal")
  void atOnce(Order order) throws Exception {
    try (RedisServer server = RedisServer.start();
        Holdfast client = Holdfast.connect(server.uri())) {
      Holdfast holder = client.with(options -> options.withOrder(order));
      Hold warm = holder.lock("warm").acquire(LONG);
      awaitWatch(List.of(server));
      warm.close();
      Hold hold = holder.lock("young").acquire(LONG);
      long start = System.nanoTime();
      server.call("DEL", lockKey(List.of(server), "young"));
      CompletableFuture<Loss> told = new CompletableFuture<>();
      hold.onLoss(told::complete);
      told.get(LONG.toSeconds(), TimeUnit.SECONDS);
      Figure.since(start, TOLD, order + ", deleted right after the grant: told");
      assertThat(hold.release()).isEqualTo(Outcome.LOST);
    }
  }

  @Test
  @DisplayName("Sentinel: what is deleted by hand is told within 300 ms, and nobody publishes")
  void byHandWithSentinel() throws Exception {
    try (RedisSentinels sentinels = RedisSentinels.start().withoutFailover()) {
      RedisServer master = sentinels.master();
      deletions("Sentinel", sentinels.uri(), List.of(master));
    }
  }

  @Test
  @DisplayName("Cluster: what is deleted by hand is told within 300 ms, and nobody publishes")
  void byHandInCluster() throws Exception {
    try (RedisCluster cluster = RedisCluster.start().withoutFailover()) {
      deletions("Cluster", cluster.uri(), cluster.masters());
    }
  }

  @Test
  @DisplayName("what was published while nobody could listen is noticed when listening goes on")
  void afterGap() throws Exception {
    try (RedisServer server = RedisServer.start();
        Holdfast holder = Holdfast.connect(server.uri());
        Holdfast operator = Holdfast.connect(server.uri())) {
      Hold hold = holder.lock("gap").acquire(LONG);
      awaitListener(server, 1);
      CompletableFuture<Loss> told = new CompletableFuture<>();
      hold.onLoss(told::complete);
      server.call("DEL", lockKey(List.of(server), "gap"));
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
      awaitListener(server, 1);
      long subscribes = calls(server, "subscribe");
      for (int i = 0; i < 200; i++) {
        client.lock("n" + i).acquire(LONG).close();
      }
      assertThat(listeners(server)).isOne();
      assertThat(calls(server, "subscribe")).isEqualTo(subscribes);
    }
  }

  @Test
  @DisplayName("holds that nobody touches by hand cause no renewals, however long they last")
  void ordinaryUse() throws Exception {
    try (RedisServer server = RedisServer.start();
        Holdfast holder = Holdfast.connect(server.uri());
        Holdfast other = Holdfast.connect(server.uri())) {
      for (Order order : List.of(Order.ANY, Order.FIFO)) {
        Holdfast ordered = holder.with(options -> options.withOrder(order));
        Holdfast rival = other.with(options -> options.withOrder(order));
        ordered.lock("loop").acquire(LONG).close();
        Hold warm = ordered.lock("loop").acquire(LONG);
        assertThat(rival.lock("loop").tryAcquire()).isEmpty();
        warm.close();
        rival.lock("loop").acquire(LONG).close();
        awaitListener(server, 2);
        long before = calls(server, "evalsha");
        for (int i = 0; i < 200; i++) {
          ordered.lock("loop").acquire(LONG).close();
        }
        assertThat(calls(server, "evalsha") - before).isEqualTo(400);

        long looks = calls(server, "eval");
        for (int i = 0; i < 5; i++) {
          long seen = calls(server, "eval");
          Hold hold = ordered.lock("loop").acquire(LONG);
          Await.until("a watch", LONG, () -> calls(server, "eval") > seen);
          assertThat(rival.lock("loop").tryAcquire()).isEmpty();
          assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
        }
        assertThat(calls(server, "evalsha") - before).isEqualTo(400 + 5 * 3);
        Figure.print(
            "%s: looks of 5 holds that are watched: %d", order, calls(server, "eval") - looks);
      }
    }
  }

  @Test
  @DisplayName("a renewal is followed by one look, which finds the hold and reports nothing")
  void renewed() throws Exception {
    try (RedisServer server = RedisServer.start();
        Holdfast holder = Holdfast.connect(server.uri() + "?holdfast.lease=2s")) {
      Hold hold = holder.lock("renewed").acquire(LONG);
      awaitWatch(List.of(server));
      long evals = calls(server, "eval");
      long shas = calls(server, "evalsha");
      Await.until("six renewals", LONG, () -> calls(server, "evalsha") >= shas + 6);
      Await.until("six looks", LONG, () -> calls(server, "eval") >= evals + 6);
      long renewals = calls(server, "evalsha") - shas;
      long looks = calls(server, "eval") - evals;
      Figure.print("%d renewals, %d looks", renewals, looks);
      assertThat(renewals).isLessThanOrEqualTo(7);
      assertThat(looks).isLessThanOrEqualTo(renewals);
      assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
    }
  }

  @Test
  @DisplayName("a lock that was deleted by hand and taken by another at once is told as well")
  void replaced() throws Exception {
    try (RedisServer server = RedisServer.start();
        Holdfast holder = Holdfast.connect(server.uri());
        Holdfast other = Holdfast.connect(server.uri())) {
      Hold hold = holder.lock("replaced").acquire(LONG);
      CompletableFuture<Loss> told = new CompletableFuture<>();
      hold.onLoss(told::complete);
      awaitWatch(List.of(server));
      long start = System.nanoTime();
      server.call("DEL", lockKey(List.of(server), "replaced"));
      assertThat(other.lock("replaced").tryAcquire()).isPresent();
      told.get(LONG.toSeconds(), TimeUnit.SECONDS);
      Figure.since(start, TOLD, "deleted and taken by another: told");
    }
  }

  @Test
  @DisplayName("without the right to track, all goes on, and nothing is reported")
  void refused() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      server.call("ACL", "SETUSER", "default", "-client|tracking");
      try (Holdfast holder = Holdfast.connect(server.uri())) {
        Hold hold = holder.lock("refused").acquire(LONG);
        Await.until(
            "the refusal", LONG, () -> server.call("ACL", "LOG").contains("client|tracking"));
        assertThat(holder.health().warnings()).isEmpty();
        assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
      }
    }
  }

  @Test
  @DisplayName("a watch is begun anew when its connection was cut")
  void watchAfterGap() throws Exception {
    try (RedisServer server = RedisServer.start();
        Holdfast holder = Holdfast.connect(server.uri())) {
      Hold hold = holder.lock("cut").acquire(LONG);
      CompletableFuture<Loss> told = new CompletableFuture<>();
      hold.onLoss(told::complete);
      awaitWatch(List.of(server));
      String tracker =
          server
              .call("CLIENT", "LIST")
              .lines()
              .filter(line -> line.contains(" resp=3"))
              .map(line -> line.replaceAll("^id=(\\d+) .*", "$1"))
              .findFirst()
              .orElseThrow();
      server.call("CLIENT", "KILL", "ID", tracker);
      Await.until("no watch", LONG, () -> !server.call("CLIENT", "LIST").contains("id=" + tracker));
      long start = System.nanoTime();
      server.call("DEL", lockKey(List.of(server), "cut"));
      told.get(LONG.toSeconds(), TimeUnit.SECONDS);
      Figure.since(start, Duration.ofSeconds(1), "deleted in a gap of the watches: told");
      assertThat(hold.release()).isEqualTo(Outcome.LOST);
    }
  }

  /** What an operator does by hand. */
  private interface ByHand {
    void end(RedisServer server, String key);
  }

  private static void deletions(String store, String uri, List<RedisServer> masters)
      throws Exception {
    try (Holdfast holder = Holdfast.connect(uri)) {
      for (Order order : List.of(Order.ANY, Order.FIFO)) {
        Holdfast ordered = holder.with(options -> options.withOrder(order));
        String what = store + ", " + order + ", ";
        deleted(what + "DEL", ordered, masters, (server, key) -> server.call("DEL", key));
        deleted(what + "UNLINK", ordered, masters, (server, key) -> server.call("UNLINK", key));
        deleted(what + "FLUSHDB", ordered, masters, (server, key) -> server.call("FLUSHDB"));
      }
    }
  }

  private static void deleted(String what, Holdfast holder, List<RedisServer> masters, ByHand hand)
      throws Exception {
    String name = what.replaceAll("[, ]+", "-");
    long before = watched(masters);
    Hold hold = holder.lock(name).acquire(LONG);
    CompletableFuture<Loss> told = new CompletableFuture<>();
    hold.onLoss(told::complete);
    Await.until("a watch", LONG, () -> watched(masters) > before);
    String key = lockKey(masters, name);
    RedisServer server =
        masters.stream()
            .filter(master -> master.call("KEYS", "*").contains(key))
            .findFirst()
            .orElseThrow();
    long start = System.nanoTime();
    hand.end(server, key);
    told.get(LONG.toSeconds(), TimeUnit.SECONDS);
    Figure.since(start, TOLD, what + ": told");
    assertThat(hold.release()).isEqualTo(Outcome.LOST);
  }

  /** Until the records of one hold are watched. */
  private static void awaitWatch(List<RedisServer> masters) {
    Await.until("a watch", LONG, () -> watched(masters) > 0);
  }

  private static long watched(List<RedisServer> masters) {
    return masters.stream()
        .mapToLong(master -> Long.parseLong(master.info("tracking_total_keys")))
        .sum();
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

  private static String lockKey(List<RedisServer> masters, String name) {
    return masters.stream()
        .flatMap(master -> master.call("KEYS", "{hf:*}:l:default:" + name).lines())
        .filter(key -> !key.isBlank())
        .findFirst()
        .orElseThrow();
  }

  private static void awaitListener(RedisServer server, int clients) {
    Await.until("a listener", LONG, () -> listeners(server) == clients);
    Await.until(
        "the channel",
        LONG,
        () -> server.call("PUBSUB", "NUMSUB", "{hf:changes}").endsWith("\n" + clients));
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
        .map(line -> line.replaceAll(".*:calls=(\\d+),.*", "$1"))
        .mapToLong(Long::parseLong)
        .sum();
  }
}
