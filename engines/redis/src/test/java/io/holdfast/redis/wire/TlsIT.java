package io.holdfast.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.Await;
import io.holdfast.rig.Figure;
import io.holdfast.rig.RedisOptions;
import io.holdfast.rig.RedisServer;
import io.holdfast.rig.TestCertificates;
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
        RedisServer server = RedisServer.start(RedisOptions.PLAIN.withTls(files));
        Wiring wiring = Scene.open(uri("127.0.0.1", server, files), Duration.ofMillis(500));
        Wire wire = wiring.connect();
        Subscription subscription = wiring.subscribe(heard)) {
      assertThat(Scene.value(wire.run(List.of(Scene.call(Scene.INCREMENT, "n"))).get(0)))
          .isEqualTo(1L);
      subscription.add("bell");
      heard.awaitArmed("bell", 1);
      Await.until(
          "signs of life",
          Scene.BOUND,
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
        RedisServer server = RedisServer.start(RedisOptions.PLAIN.withTls(files));
        RedisServer misnamed = RedisServer.start(RedisOptions.PLAIN.withTls(others));
        Wiring stranger = Scene.open("rediss://127.0.0.1:" + server.port());
        Wiring wrong = Scene.open(uri("127.0.0.1", misnamed, others))) {
      for (Wiring wiring : List.of(stranger, wrong)) {
        assertThatThrownBy(wiring::connect)
            .isInstanceOf(EngineException.Refused.class)
            .hasMessageContaining("is not trusted");
      }
    }
  }

  @Test
  void a_server_that_does_not_speak_tls_is_not_done_in_time() {
    try (RedisServer plain = RedisServer.start();
        Wiring wiring = Scene.open("rediss://127.0.0.1:" + plain.port(), Duration.ofMillis(500))) {
      long before = System.nanoTime();
      assertThatThrownBy(wiring::connect).isInstanceOf(EngineException.NotDone.class);
      Figure.since(before, Duration.ofMillis(500), "redis: no TLS at the other end is told");
    }
  }
}
