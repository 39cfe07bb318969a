package io.holdfast.rig.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ServerClockIT {
  private static final Duration A_LITTLE = Duration.ofSeconds(5);

  @BeforeEach
  void needs_a_compiler() {
    assumeThat(ServerClock.isAvailable()).as("gcc, for the clock of servers").isTrue();
  }

  @Test
  void a_step_forward_ends_what_expires_and_a_step_back_makes_it_last() {
    try (ServerClock clock = ServerClock.create();
        RedisServer redis = RedisServer.start(RedisServerOptions.PLAIN.withClock(clock))) {
      assertThat(ahead(redis)).isLessThan(A_LITTLE);
      redis.call("SET", "k", "v", "PX", "30000");
      clock.step(Duration.ofSeconds(60));
      assertThat(redis.call("GET", "k")).isEqualTo("(nil)");
      assertThat(ahead(redis)).isBetween(Duration.ofSeconds(55), Duration.ofSeconds(65));

      redis.call("SET", "k", "v", "PX", "30000");
      clock.step(Duration.ofMillis(-90_500));
      assertThat(Long.parseLong(redis.call("PTTL", "k"))).isBetween(115_000L, 120_500L);
      assertThat(clock.offset()).isEqualTo(Duration.ofMillis(-30_500));
      redis.process().restart();
      assertThat(ahead(redis)).isBetween(Duration.ofSeconds(-36), Duration.ofSeconds(-25));
    }
  }

  private static Duration ahead(RedisServer redis) {
    long seconds = Long.parseLong(redis.call("TIME").lines().findFirst().orElseThrow());
    return Duration.between(Instant.now(), Instant.ofEpochSecond(seconds));
  }
}
