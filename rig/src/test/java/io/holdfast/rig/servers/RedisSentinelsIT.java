package io.holdfast.rig.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.checks.Inventory;
import io.holdfast.rig.checks.LeakCheck;
import io.holdfast.rig.process.Ports;
import io.holdfast.rig.time.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RedisSentinelsIT {

  private static final Duration LONG_SILENCE = Sentinel.DOWN_AFTER.multipliedBy(4);

  @Test
  void a_killed_master_is_replaced_and_comes_back_as_a_replica() {
    try (RedisSentinels redis = RedisSentinels.start()) {
      assertThat(redis.uri())
          .matches("redis-sentinel://127.0.0.1:\\d+,127.0.0.1:\\d+,127.0.0.1:\\d+/mymaster");
      RedisServer old = redis.master();
      assertThat(old.role()).isEqualTo("master");
      old.call("SET", "k", "v");
      redis.replicas().get(0).awaitInSync(old);

      RedisServer promoted = redis.failover();
      assertThat(promoted).isNotSameAs(old).isSameAs(redis.master());
      assertThat(promoted.call("GET", "k")).isEqualTo("v");
      assertThat(redis.replicas()).isEmpty();

      redis.bringBack(old);
      assertThat(old.role()).isEqualTo("slave");
      assertThat(old.call("GET", "k")).isEqualTo("v");
      redis.sentinels().get(0).process().kill9(); // two are enough
      assertThat(redis.failover()).isSameAs(old);
      redis.sentinels().get(0).process().restart();
      redis.awaitReady();
    }
  }

  @Test
  void a_paused_master_is_replaced_and_follows_when_it_goes_on() {
    try (RedisSentinels redis = RedisSentinels.start(2)) {
      RedisServer old = redis.master();
      old.process().pause();
      RedisServer promoted = redis.awaitSuccessorOf(old);
      assertThat(promoted).isNotSameAs(old);
      old.process().resume();
      old.awaitInSync(promoted);
      redis.awaitReady();
    }
  }

  @Test
  void what_was_granted_while_replication_was_lost_is_forgotten_by_a_failover() throws IOException {
    try (RedisSentinels redis = RedisSentinels.start()) {
      RedisServer old = redis.master();
      old.call("SET", "before", "v");
      redis.loseReplication();
      try (RespConnection client = old.connect()) {
        assertThat(client.call("SET", "lost", "v")).isEqualTo("OK");
        assertThat(client.call("WAIT", "1", "200")).isEqualTo("0");
      }
      assertThat(old.info("connected_slaves")).isEqualTo("1");

      RedisServer promoted = redis.failover();
      assertThat(promoted.call("MGET", "before", "lost")).isEqualTo("v\n(nil)");
    }
  }

  @Test
  void the_replica_catches_up_when_replication_is_healed() {
    try (RedisSentinels redis = RedisSentinels.start()) {
      redis.loseReplication();
      redis.master().call("SET", "late", "v");
      RedisServer replica = redis.replicas().get(0);
      assertThat(replica.call("GET", "late")).isEqualTo("(nil)");
      redis.healReplication();
      assertThat(replica.call("GET", "late")).isEqualTo("v");
      redis.awaitReady();
    }
  }

  @Test
  void a_master_that_is_well_becomes_a_replica_on_demand() {
    RedisServerOptions guarded = RedisServerOptions.PLAIN.withPassword("s3cret");
    try (RedisSentinels redis = RedisSentinels.start(2, guarded)) {
      RedisServer old = redis.master();
      RedisServer promoted = redis.switchOver();
      promoted.call("SET", "k", "v");
      assertThatThrownBy(() -> old.call("SET", "k", "v"))
          .rootCause()
          .hasMessageContaining("READONLY");
      assertThat(redis.replicas()).hasSize(2).contains(old);
      redis.awaitReady();
    }
  }

  @Test
  void a_master_that_is_silent_stays_the_master_if_so_asked() {
    try (RedisSentinels redis = RedisSentinels.start().withoutFailover()) {
      RedisServer master = redis.master();
      master.process().pause();
      Await.until(
          "a silence that is long for sentinels",
          Duration.ofSeconds(10),
          () ->
              redis.sentinels().stream()
                  .allMatch(s -> Sentinel.silenceOfMaster(s).compareTo(LONG_SILENCE) > 0));
      assertThat(redis.master()).isSameAs(master);
      master.process().resume();
      redis.awaitReady();
      assertThat(redis.master()).isSameAs(master);
    }
  }

  @Test
  void leaves_nothing_behind() {
    LeakCheck threads = LeakCheck.baseline(Inventory.threads());
    List<Integer> ports = new ArrayList<>();
    try (RedisSentinels redis = RedisSentinels.start()) {
      redis.loseReplication();
      redis.servers().forEach(server -> ports.add(server.port()));
      redis.sentinels().forEach(sentinel -> ports.add(sentinel.port()));
    }
    assertThat(ports).hasSize(5).allMatch(Ports::isFree);
    threads.awaitReturn(Duration.ofSeconds(5)).requireClean(1);
  }
}
