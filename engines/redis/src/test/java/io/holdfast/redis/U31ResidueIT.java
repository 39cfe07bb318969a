package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.redis.layout.Keys;
import io.holdfast.rig.scenarios.ManyNamesScenario;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.LongRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** U31: names that are used once leave nothing behind; {@code -Dlong} uses a million. */
class U31ResidueIT {

  private static final int NAMES = LongRun.of(100_000, 1_000_000);

  @Test
  @Timeout(600)
  void names_that_were_used_once_leave_no_key_and_tokens_still_rise() throws Exception {
    try (RedisServer server = RedisServer.start();
        Holdfast holdfast = Holdfast.connect(server.uri())) {
      long before = ManyNamesScenario.use(holdfast, 0);
      long millis = ManyNamesScenario.useAll(holdfast, NAMES);
      long keys = Long.parseLong(server.call("DBSIZE"));
      assertThat(keys).isLessThanOrEqualTo(Keys.BUCKETS);
      assertThat(server.call("KEYS", "*").lines())
          .allMatch(key -> key.matches("\\{hf:[0-9a-f]{3}}"));
      assertThat(ManyNamesScenario.use(holdfast, 0)).isGreaterThan(before);
      System.out.printf(
          "U31: %,d names in %,d ms (%,d/s) left %,d keys, all of buckets, in %s%n",
          NAMES, millis, NAMES * 1000L / millis, keys, server.info("used_memory_dataset"));
    }
  }
}
