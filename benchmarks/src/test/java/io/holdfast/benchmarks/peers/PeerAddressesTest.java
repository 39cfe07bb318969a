package io.holdfast.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.CliException;
import io.holdfast.cli.bench.RedisAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerAddressesTest {

  @Test
  void plain_addresses_are_taken() {
    assertThat(PeerAddresses.redis("redis://a.b:7")).isEqualTo(new RedisAddress("a.b", 7));
    assertThat(PeerAddresses.etcdEndpoint("etcd://h:1")).isEqualTo("http://h:1");
    assertThat(PeerAddresses.zooKeeperHosts("zookeeper://h:1,i:2/")).isEqualTo("h:1,i:2");
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
    assertThatThrownBy(() -> PeerAddresses.redis(uri))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("redis://host:port")
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "memory:", "redis://secret", "jdbc:sqlite:secret", "jdbc:h2:secret"})
  void what_is_no_database_server_is_refused_without_quoting_it(String uri) {
    assertThatThrownBy(() -> PeerAddresses.database(uri))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("jdbc:postgresql:")
        .hasMessageNotContaining("secret");
  }
}
