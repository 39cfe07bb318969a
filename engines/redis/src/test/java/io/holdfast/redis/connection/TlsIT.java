package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.RedisServerOptions;
import io.holdfast.rig.servers.TestCertificates;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TlsIT {

  private final RememberedSignals heard = new RememberedSignals();

  private static String uri(String host, RedisServer server, TestCertificates files) {
    return "rediss://"
        + host
        + ":"
        + server.port()
        + "?trustStore="
        + files.trustStore()
        + "&trustStorePassword="
        + TestCertificates.PASSWORD;
  }

  @Test
  void calls_and_signals_go_encrypted() throws Exception {
    try (TestCertificates files = TestCertificates.create();
        RedisServer server = RedisServer.start(RedisServerOptions.PLAIN.withTls(files));
        ServerTopology topology =
            ConnectionScene.open(uri("127.0.0.1", server, files), Duration.ofMillis(500));
        LaneConnection connection = topology.connect();
        Subscription subscription = topology.subscribe(heard)) {
      assertThat(
              ConnectionScene.value(
                  connection
                      .run(List.of(ConnectionScene.call(ConnectionScene.INCREMENT, "n")))
                      .get(0)))
          .isEqualTo(1L);
      subscription.add("bell");
      heard.awaitArmed("bell", 1);
      Await.until(
          "signs of life",
          ConnectionScene.BOUND,
          () -> server.call("INFO", "commandstats").contains("cmdstat_ping:calls="));
      server.call("PUBLISH", "bell", "rings");
      heard.awaitMessage("bell=rings");
      assertThat(heard.timesLost("bell")).isZero();
    }
  }

  @Test
  void a_server_that_is_not_trusted_or_has_another_name_is_refused() {
    try (TestCertificates files = TestCertificates.create();
        TestCertificates others = TestCertificates.forServer("DNS:elsewhere.example");
        RedisServer server = RedisServer.start(RedisServerOptions.PLAIN.withTls(files));
        RedisServer misnamed = RedisServer.start(RedisServerOptions.PLAIN.withTls(others));
        ServerTopology stranger = ConnectionScene.open("rediss://127.0.0.1:" + server.port());
        ServerTopology wrong = ConnectionScene.open(uri("127.0.0.1", misnamed, others))) {
      for (ServerTopology topology : List.of(stranger, wrong)) {
        assertThatThrownBy(topology::connect)
            .isInstanceOf(EngineException.Refused.class)
            .hasMessageContaining("is not trusted");
      }
    }
  }

  @Test
  void a_server_that_does_not_speak_tls_is_not_done_in_time() {
    try (RedisServer plain = RedisServer.start();
        ServerTopology topology =
            ConnectionScene.open("rediss://127.0.0.1:" + plain.port(), Duration.ofMillis(500))) {
      long before = System.nanoTime();
      assertThatThrownBy(topology::connect).isInstanceOf(EngineException.NotDone.class);
      Figure.since(before, Duration.ofMillis(500), "redis: no TLS at the other end is told");
    }
  }
}
