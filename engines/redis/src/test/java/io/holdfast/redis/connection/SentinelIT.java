package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.servers.RedisSentinels;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(90)
class SentinelIT {

  private static RedisSentinels sentinels;

  private final RememberedSignals heard = new RememberedSignals();

  @BeforeAll
  static void start() {
    sentinels = RedisSentinels.start();
  }

  @AfterAll
  static void stop() {
    sentinels.close();
  }

  private static String uri() {
    return sentinels.sentinels().stream()
        .map(sentinel -> "127.0.0.1:" + sentinel.port())
        .collect(Collectors.joining(",", "redis-sentinel://", "/" + sentinels.masterName()));
  }

  private static List<ScriptCall> increment(String key) {
    return List.of(ConnectionScene.call(ConnectionScene.INCREMENT, key));
  }

  @Test
  void the_new_master_is_found_after_a_kill_and_after_a_switch_and_signals_follow()
      throws Exception {
    try (ServerTopology topology = ConnectionScene.open(uri());
        LaneConnection connection = topology.connect();
        Subscription subscription = topology.subscribe(heard)) {
      subscription.add("bell");
      heard.awaitArmed("bell", 1);
      assertThat(ConnectionScene.value(connection.run(increment("n")).get(0)))
          .isInstanceOf(Long.class);

      RedisServer old = sentinels.master();
      RedisServer promoted = sentinels.failover();
      awaitDone(connection);
      assertThat(promoted.call("EXISTS", "after")).isEqualTo("1");
      heard.awaitArmed("bell", 2);
      promoted.call("PUBLISH", "bell", "rings");
      heard.awaitMessage("bell=rings");

      sentinels.bringBack(old);
      RedisServer next = sentinels.switchOver();
      next.call("DEL", "after");
      awaitDone(connection);
      assertThat(next.call("EXISTS", "after")).isEqualTo("1");
      sentinels.awaitReady();
    }
  }

  private static void awaitDone(LaneConnection connection) {
    Await.until(
        "a call that is done",
        ConnectionScene.BOUND,
        () -> connection.run(increment("after")).get(0) instanceof ScriptReply.Value);
  }

  @Test
  void sentinels_that_hang_or_are_gone_cost_little() throws Exception {
    RedisServer hanging = sentinels.sentinels().get(0);
    hanging.process().pause();
    try (ServerTopology topology = ConnectionScene.open(uri() + "?connectTimeout=200ms")) {
      long before = System.nanoTime();
      try (LaneConnection connection = topology.connect()) {
        assertThat(ConnectionScene.value(connection.run(increment("n")).get(0)))
            .isInstanceOf(Long.class);
      }
      Figure.since(before, Duration.ofMillis(400), "redis: connected past a sentinel that hangs");
      before = System.nanoTime();
      topology.connect().close();
      Figure.since(before, Duration.ofMillis(200), "redis: connected again past it");
    } finally {
      hanging.process().resume();
    }
  }

  @Test
  void threads_that_connect_do_not_wait_for_each_other_at_a_sentinel_that_hangs() throws Exception {
    int threads = 8;
    ExecutorService all = Executors.newFixedThreadPool(threads);
    // The system takes connections for it, and nobody ever replies.
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        ServerTopology topology =
            ConnectionScene.open(
                uri().replace("//", "//127.0.0.1:" + silent.getLocalPort() + ",")
                    + "?connectTimeout=1s",
                Duration.ofSeconds(10))) {
      CyclicBarrier together = new CyclicBarrier(threads);
      List<Future<Long>> times = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        times.add(
            all.submit(
                () -> {
                  together.await();
                  long before = System.nanoTime();
                  topology.connect().close();
                  return System.nanoTime() - before;
                }));
      }
      long slowest = 0;
      for (Future<Long> time : times) {
        slowest = Math.max(slowest, time.get());
      }
      Figure.within(
          Duration.ofMillis(800), slowest, "redis: eight connected past a sentinel that hangs");
    } finally {
      all.shutdownNow();
    }
  }

  @Test
  void a_master_that_nobody_knows_is_refused() {
    String unknown = uri().replace("/" + sentinels.masterName(), "/nobody");
    try (ServerTopology topology = ConnectionScene.open(unknown)) {
      assertThatThrownBy(topology::connect)
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("no sentinel names the master nobody")
          .hasMessageContaining("127.0.0.1:" + sentinels.sentinels().get(2).port());
    }
  }

  @Test
  void without_sentinels_it_is_not_done_and_says_what_each_said() {
    try (ServerTopology topology =
        ConnectionScene.open("redis-sentinel://127.0.0.1:1,127.0.0.1:2/m")) {
      assertThatThrownBy(topology::connect)
          .isInstanceOf(EngineException.NotDone.class)
          .hasMessageContaining("127.0.0.1:1")
          .hasMessageContaining("127.0.0.1:2");
    }
  }
}
