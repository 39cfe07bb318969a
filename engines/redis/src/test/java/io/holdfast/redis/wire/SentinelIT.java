package io.holdfast.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.Await;
import io.holdfast.rig.Figure;
import io.holdfast.rig.RedisSentinels;
import io.holdfast.rig.RedisServer;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.List;
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

  private static List<Call> increment(String key) {
    return List.of(Scene.call(Scene.INCREMENT, key));
  }

  @Test
  void the_new_master_is_found_after_a_kill_and_after_a_switch_and_signals_follow()
      throws Exception {
    try (Wiring wiring = Scene.open(uri());
        Wire wire = wiring.connect();
        Subscription subscription = wiring.subscribe(heard)) {
      subscription.add("bell");
      heard.awaitArmed("bell", 1);
      assertThat(Scene.value(wire.run(increment("n")).get(0))).isInstanceOf(Long.class);

      RedisServer old = sentinels.master();
      RedisServer promoted = sentinels.failover();
      awaitDone(wire);
      assertThat(promoted.call("EXISTS", "after")).isEqualTo("1");
      heard.awaitArmed("bell", 2);
      promoted.call("PUBLISH", "bell", "rings");
      heard.awaitMessage("bell=rings");

      sentinels.bringBack(old);
      RedisServer next = sentinels.switchOver();
      next.call("DEL", "after");
      awaitDone(wire);
      assertThat(next.call("EXISTS", "after")).isEqualTo("1");
      sentinels.awaitReady();
    }
  }

  private static void awaitDone(Wire wire) {
    Await.until(
        "a call that is done",
        Scene.BOUND,
        () -> wire.run(increment("after")).get(0) instanceof Reply.Value);
  }

  @Test
  void sentinels_that_hang_or_are_gone_cost_little() throws Exception {
    RedisServer hanging = sentinels.sentinels().get(0);
    hanging.process().pause();
    try (Wiring wiring = Scene.open(uri() + "?connectTimeout=200ms")) {
      long before = System.nanoTime();
      try (Wire wire = wiring.connect()) {
        assertThat(Scene.value(wire.run(increment("n")).get(0))).isInstanceOf(Long.class);
      }
      Figure.since(before, Duration.ofMillis(400), "redis: connected past a sentinel that hangs");
      before = System.nanoTime();
      wiring.connect().close();
      Figure.since(before, Duration.ofMillis(200), "redis: connected again past it");
    } finally {
      hanging.process().resume();
    }
  }

  @Test
  void a_master_that_nobody_knows_is_refused() {
    String unknown = uri().replace("/" + sentinels.masterName(), "/nobody");
    try (Wiring wiring = Scene.open(unknown)) {
      assertThatThrownBy(wiring::connect)
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("no sentinel names the master nobody")
          .hasMessageContaining("127.0.0.1:" + sentinels.sentinels().get(2).port());
    }
  }

  @Test
  void without_sentinels_it_is_not_done_and_says_what_each_said() {
    try (Wiring wiring = Scene.open("redis-sentinel://127.0.0.1:1,127.0.0.1:2/m")) {
      assertThatThrownBy(wiring::connect)
          .isInstanceOf(EngineException.NotDone.class)
          .hasMessageContaining("127.0.0.1:1")
          .hasMessageContaining("127.0.0.1:2");
    }
  }
}
