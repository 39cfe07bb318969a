package io.holdfast.zookeeper.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.rig.servers.TestCertificates;
import io.holdfast.rig.servers.ZooKeeperServer;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Encrypted connections. */
@Timeout(120)
class TlsIT {

  private static final Duration LONG = Duration.ofSeconds(30);

  @Test
  @DisplayName("a server is reached over TLS, and one that is not trusted is not")
  void tls() throws Exception {
    try (TestCertificates certificates = TestCertificates.create();
        TestCertificates others = TestCertificates.create();
        ZooKeeperServer server =
            ZooKeeperServer.start(
                io.holdfast.rig.servers.ZooKeeperServerOptions.PLAIN.withTls(certificates))) {
      try (Holdfast holdfast = Holdfast.connect(uri(server, certificates));
          Hold hold = holdfast.lock("x").acquire(LONG)) {
        assertThat(hold.isHeld()).isTrue();
      }
      try (Holdfast holdfast = Holdfast.connect(uri(server, others))) {
        assertThatThrownBy(() -> holdfast.lock("x").acquire(Duration.ofSeconds(3)))
            .isInstanceOf(HoldfastException.class)
            .hasMessageNotContaining(TestCertificates.PASSWORD);
      }
    }
  }

  private static String uri(ZooKeeperServer server, TestCertificates trusted) {
    return "zookeeper://127.0.0.1:"
        + server.tlsPort()
        + "/tls?tls=true&trustStore="
        + trusted.trustStore()
        + "&trustStorePassword="
        + TestCertificates.PASSWORD
        + "&holdfast.lease=3s";
  }
}
