package io.holdfast.rig.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.checks.Inventory;
import io.holdfast.rig.checks.LeakCheck;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RedisMonitorIT {
  private static final Duration BOUND = Duration.ofSeconds(5);

  @Test
  void records_commands_in_their_order_and_those_of_scripts() {
    LeakCheck threads = LeakCheck.baseline(Inventory.threads());
    try (RedisServer redis = RedisServer.start();
        RedisMonitor monitor = RedisMonitor.of(redis)) {
      redis.call("SET", "k", "a \"quoted\"\n[0 lua] \"value\" \\ ü");
      redis.call("EVAL", "return redis.call('GET', KEYS[1])", "1", "k");
      List<MonitoredCommand> seen = monitor.commands();
      assertThat(seen).extracting(MonitoredCommand::name).containsExactly("SET", "EVAL", "GET");
      assertThat(seen.get(0).words())
          .containsExactly("SET", "k", "a \"quoted\"\n[0 lua] \"value\" \\ \\xc3\\xbc");
      assertThat(seen.get(1).isFromScript()).isFalse();
      assertThat(seen.get(2).isFromScript()).isTrue();
      monitor.clear();
      assertThat(monitor.commands()).isEmpty();
      redis.call("DEL", "k");
      assertThat(monitor.await("the DEL", BOUND, c -> c.name().equals("DEL")).words())
          .containsExactly("DEL", "k");
    }
    threads.awaitReturn(BOUND).requireClean(1);
  }

  @Test
  void what_was_seen_stays_when_the_server_is_gone() {
    try (RedisServer redis = RedisServer.start();
        RedisMonitor monitor = RedisMonitor.of(redis)) {
      redis.call("SET", "k", "v");
      assertThat(monitor.commands()).hasSize(1);
      redis.process().kill9();
      assertThat(monitor.await("the SET", BOUND, c -> c.name().equals("SET")).words())
          .containsExactly("SET", "k", "v");
    }
  }
}
