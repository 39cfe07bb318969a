package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisAddressTest {

  @Test
  void the_port_may_be_left_out() {
    assertThat(RedisAddress.of("redis://a.b:7")).isEqualTo(new RedisAddress("a.b", 7));
    assertThat(RedisAddress.of("redis://a/").uri()).isEqualTo("redis://a:6379");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "redis:",
        "redis://:secret@a:1",
        "redis://a:1/secret",
        "redis://a:1,secret:2",
        "redis://a:1?password=secret",
        "rediss://secret:1"
      })
  void anything_more_is_refused_without_quoting_it(String uri) {
    assertThatThrownBy(() -> RedisAddress.of(uri))
        .isInstanceOf(BadOptionException.class)
        .hasMessageContaining("redis://host:port")
        .hasMessageNotContaining("secret");
    assertThat(RedisAddress.ifPlain(uri)).isEmpty();
  }
}
