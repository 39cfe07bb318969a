package io.holdfast.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisAddressTest {

  @Test
  void the_port_may_be_left_out() {
    assertThat(RedisAddress.of("redis://a.b:7")).contains(new RedisAddress("a.b", 7));
    assertThat(RedisAddress.of("redis://a/").orElseThrow().uri()).isEqualTo("redis://a:6379");
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
  void any_other_form_is_no_plain_address(String uri) {
    assertThat(RedisAddress.of(uri)).isEmpty();
  }
}
