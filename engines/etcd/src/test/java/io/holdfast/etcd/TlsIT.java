package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.HoldfastOptions;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.servers.TestCertificates;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Connections that are encrypted, and one that the program has made. */
class TlsIT {

  private static final Duration WAIT = Duration.ofSeconds(10);

  @Test
  void a_server_that_is_trusted_is_used_and_another_is_not() throws InterruptedException {
    try (TestCertificates certificates = TestCertificates.create();
        EtcdServer server = EtcdServer.startWithTls(certificates)) {
      String uri = "etcds://127.0.0.1:" + server.port();
      String trusting =
          uri + "?trustStore=" + certificates.trustStore() + "&trustStorePassword=changeit";
      try (Holdfast holdfast = Holdfast.connect(trusting);
          Hold hold = holdfast.lock("x").acquire(WAIT)) {
        hold.ensureHeld();
      }
      try (Holdfast holdfast = Holdfast.connect(uri)) {
        assertThatThrownBy(() -> holdfast.lock("x").acquire(Duration.ofSeconds(1)))
            .isInstanceOf(HoldfastException.class);
      }
    }
  }

  @Test
  void a_channel_that_is_handed_in_is_used_and_stays_open() throws InterruptedException {
    try (EtcdServer server = EtcdServer.start()) {
      ManagedChannel channel =
          ManagedChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
      try (Holdfast holdfast =
          Holdfast.open(EtcdEngine.over(channel, "our etcd"), HoldfastOptions.DEFAULTS)) {
        holdfast.lock("x").acquire(WAIT).close();
      }
      assertThat(channel.isShutdown()).isFalse();
      channel.shutdownNow();
    }
  }
}
