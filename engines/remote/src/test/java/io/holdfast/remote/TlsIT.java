package io.holdfast.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.servers.TestCertificates;
import io.holdfast.server.LockServer;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Standing;
import java.io.InputStream;
import java.nio.file.Files;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections to a balancer that ends TLS. */
@Timeout(60)
class TlsIT {

  private static SSLContext server(TestCertificates certificates) throws Exception {
    char[] password = TestCertificates.PASSWORD.toCharArray();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream file = Files.newInputStream(certificates.serverKeyStore())) {
      keys.load(file, password);
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), null, null);
    return context;
  }

  private static String trusting(RandomProxy proxy, TestCertificates certificates) {
    return proxy.address()
        + "?trustStorePassword="
        + TestCertificates.PASSWORD
        + "&trustStore="
        + certificates.trustStore();
  }

  @Test
  void aTrustedServerIsUsedAndAnotherIsNot() throws Exception {
    try (TestCertificates certificates = TestCertificates.create();
        LockServer lockServer = RemoteStore.serve("memory:tls");
        RandomProxy proxy = RandomProxy.withTls(server(certificates), List.of(lockServer.port()));
        LockEngine engine = RemoteStore.open(trusting(proxy, certificates));
        LockEngine doubtful = RemoteStore.open(proxy.address())) {
      assertThat(engine.attempt(Tickets.of("a"), Tickets.IGNORED))
          .isInstanceOf(Standing.Granted.class);
      assertThatThrownBy(() -> doubtful.attempt(Tickets.of("a"), Tickets.IGNORED))
          .isInstanceOf(EngineException.NotDone.class);
    }
  }

  @Test
  void theNameInTheCertificateIsChecked() throws Exception {
    try (TestCertificates certificates = TestCertificates.forServer("dns:elsewhere.example");
        LockServer lockServer = RemoteStore.serve("memory:tls-name");
        RandomProxy proxy = RandomProxy.withTls(server(certificates), List.of(lockServer.port()));
        LockEngine engine = RemoteStore.open(trusting(proxy, certificates))) {
      assertThatThrownBy(() -> engine.attempt(Tickets.of("a"), Tickets.IGNORED))
          .isInstanceOf(EngineException.NotDone.class);
    }
  }
}
