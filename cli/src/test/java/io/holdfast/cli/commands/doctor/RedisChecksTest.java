package io.holdfast.cli.commands.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RedisChecksTest {

  @Test
  void valkey_is_called_by_its_own_name_and_version() {
    String info = "redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:9.1.2\r\n";
    assertThat(RedisChecks.product(KeyValueLines.of(info))).isEqualTo("Valkey 9.1.2");
  }

  @Test
  void redis_is_called_redis() {
    String info = "redis_version:8.0.6\r\n";
    assertThat(RedisChecks.product(KeyValueLines.of(info))).isEqualTo("Redis 8.0.6");
  }
}
