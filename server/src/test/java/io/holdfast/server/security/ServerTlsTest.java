package io.holdfast.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.server.settings.TlsSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import javax.security.auth.x500.X500Principal;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On a real Jetty, over real sockets. */
@Timeout(60)
class ServerTlsTest {

  @TempDir static Path made;
  private static TestCertificates certificates;
  @TempDir Path folder;
  private Server server = new Server();
  private int port;

  /** Says who the caller is by its certificate. */
  private static final class WhoIsIt extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      String who = ServerTls.subject(request).map(X500Principal::getName).orElse("nobody");
      Content.Sink.write(response, /* last= */ true, request.isSecure() + " " + who, callback);
      return true;
    }
  }

  /** A client's connection, which lasts for several requests. */
  private static final class Connection implements AutoCloseable {
    private final SSLSocket socket;
    private final BufferedReader in;

    Connection(int port, Optional<Path> identity, String... protocols)
        throws IOException, GeneralSecurityException {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          identity.isPresent() ? keyManagers(identity.get()) : null,
          new TrustManager[] {new TrustEverybody()},
          null);
      socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
      if (protocols.length > 0) {
        socket.setEnabledProtocols(protocols);
      }
      socket.setSoTimeout(20_000);
      socket.startHandshake();
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    private static KeyManager[] keyManagers(Path identity)
        throws IOException, GeneralSecurityException {
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(TestCertificates.load(identity), TestCertificates.PASSWORD.toCharArray());
      return factory.getKeyManagers();
    }

    X509Certificate certificate() throws IOException {
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }

    String get() throws IOException {
      socket
          .getOutputStream()
          .write(
              "GET / HTTP/1.1\r\nHost: another.name\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      String status = in.readLine();
      assertThat(status).isEqualTo("HTTP/1.1 200 OK");
      int length = 0;
      for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
        if (line.startsWith("Content-Length: ")) {
          length = Integer.parseInt(line.substring("Content-Length: ".length()));
        }
      }
      char[] body = new char[length];
      int read = 0;
      while (read < length) {
        read += in.read(body, read, length - read);
      }
      return new String(body);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static final class TrustEverybody implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  @BeforeAll
  static void prepare() {
    certificates = new TestCertificates(made);
  }

  @AfterEach
  void stop() throws Exception {
    server.stop();
  }

  private void serve(ServerTls tls) throws Exception {
    HttpConfiguration http = new HttpConfiguration();
    http.addCustomizer(ServerTls.customizer());
    ServerConnector connector =
        new ServerConnector(
            server, tls.connectionFactory("http/1.1"), new HttpConnectionFactory(http));
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setHandler(new WhoIsIt());
    server.start();
    port = connector.getLocalPort();
  }

  private Connection connect() throws IOException, GeneralSecurityException {
    return new Connection(port, Optional.empty());
  }

  private Path write(String name, String text) throws IOException {
    Path draft = Files.writeString(folder.resolve(name + ".new"), text);
    Path file = folder.resolve(name);
    Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    return file;
  }

  private TlsSettings.PemFiles pem(Path store) throws IOException, GeneralSecurityException {
    return new TlsSettings.PemFiles(
        write("server.pem", TestCertificates.certificatePem(store)),
        write("server.key", TestCertificates.keyPem(store)));
  }

  private static void lookTwice(ServerTls tls) {
    tls.look();
    tls.look();
  }

  @Test
  @DisplayName("PEM: new connections get the new certificate, and an open one goes on")
  void pemReload() throws Exception {
    Path first = certificates.pkcs12("first", "CN=first", "RSA");
    Path second = certificates.pkcs12("second", "CN=second", "EC");
    try (ServerTls tls = ServerTls.open(new TlsSettings(pem(first)))) {
      serve(tls);
      try (Connection old = connect()) {
        assertThat(old.certificate()).isEqualTo(TestCertificates.certificate(first));
        assertThat(old.get()).isEqualTo("true nobody");

        pem(second);
        lookTwice(tls);

        try (Connection fresh = connect()) {
          assertThat(fresh.certificate()).isEqualTo(TestCertificates.certificate(second));
          assertThat(fresh.get()).isEqualTo("true nobody");
        }
        assertThat(old.get()).isEqualTo("true nobody");
        assertThat(old.certificate()).isEqualTo(TestCertificates.certificate(first));
      }
      assertThat(tls.problem()).isEmpty();
    }
  }

  @Test
  @DisplayName("PKCS12: the same")
  void pkcs12Reload() throws Exception {
    Path first = certificates.pkcs12("first", "CN=first", "EC");
    Path second = certificates.pkcs12("second", "CN=second", "RSA");
    Path file = Files.copy(first, folder.resolve("server.p12"));
    TlsSettings.Pkcs12File identity = new TlsSettings.Pkcs12File(file, TestCertificates.PASSWORD);
    assertThat(identity).asString().doesNotContain(TestCertificates.PASSWORD);
    try (ServerTls tls = ServerTls.open(new TlsSettings(identity))) {
      serve(tls);
      try (Connection old = connect()) {
        assertThat(old.get()).isEqualTo("true nobody");
        Files.copy(second, file, StandardCopyOption.REPLACE_EXISTING);
        lookTwice(tls);
        try (Connection fresh = connect()) {
          assertThat(fresh.certificate()).isEqualTo(TestCertificates.certificate(file));
          assertThat(fresh.certificate()).isNotEqualTo(old.certificate());
        }
        assertThat(old.get()).isEqualTo("true nobody");
      }
    }
  }

  @Test
  @DisplayName("a new certificate whose key has not come yet keeps the old pair")
  void halfReplaced() throws Exception {
    Path first = certificates.pkcs12("first", "CN=first", "RSA");
    Path second = certificates.pkcs12("second", "CN=second", "RSA");
    try (ServerTls tls = ServerTls.open(new TlsSettings(pem(first)))) {
      serve(tls);
      write("server.pem", TestCertificates.certificatePem(second));
      lookTwice(tls);

      assertThat(tls.problem().orElseThrow())
          .contains("server.pem")
          .endsWith("the private key does not belong to the first certificate");
      try (Connection connection = connect()) {
        assertThat(connection.certificate()).isEqualTo(TestCertificates.certificate(first));
        assertThat(connection.get()).isEqualTo("true nobody");
      }

      write("server.key", TestCertificates.keyPem(second));
      lookTwice(tls);
      assertThat(tls.problem()).isEmpty();
      try (Connection connection = connect()) {
        assertThat(connection.certificate()).isEqualTo(TestCertificates.certificate(second));
      }
    }
  }

  @Test
  @DisplayName("a client certificate's subject is known; one of another authority is refused")
  void clientCertificates() throws Exception {
    Path store = certificates.pkcs12("server", "CN=server", "RSA");
    Path billing = certificates.pkcs12("billing", "CN=billing,O=Example", "RSA");
    Path mallory = certificates.pkcs12("mallory", "CN=billing,O=Example", "RSA");
    Path authorities = write("clients.pem", TestCertificates.certificatePem(billing));
    TlsSettings settings =
        new TlsSettings(pem(store), Optional.of(authorities), /* clientsNeedCertificates= */ false);
    try (ServerTls tls = ServerTls.open(settings)) {
      serve(tls);
      try (Connection connection = new Connection(port, Optional.of(billing))) {
        assertThat(connection.get()).isEqualTo("true CN=billing,O=Example");
      }
      try (Connection connection = connect()) {
        assertThat(connection.get()).isEqualTo("true nobody");
      }
      assertThat(canTalk(Optional.of(mallory))).isFalse();

      write("clients.pem", TestCertificates.certificatePem(mallory));
      lookTwice(tls);
      assertThat(canTalk(Optional.of(mallory))).isTrue();
      assertThat(canTalk(Optional.of(billing))).isFalse();
    }
  }

  @Test
  @DisplayName("if clients need certificates, a handshake without one fails")
  void needed() throws Exception {
    Path store = certificates.pkcs12("server", "CN=server", "RSA");
    Path billing = certificates.pkcs12("billing", "CN=billing", "EC");
    Path authorities = write("clients.pem", TestCertificates.certificatePem(billing));
    TlsSettings settings =
        new TlsSettings(pem(store), Optional.of(authorities), /* clientsNeedCertificates= */ true);
    try (ServerTls tls = ServerTls.open(settings)) {
      serve(tls);
      assertThat(canTalk(Optional.of(billing))).isTrue();
      assertThat(canTalk(Optional.empty())).isFalse();
    }
    assertThatThrownBy(() -> new TlsSettings(settings.identity(), Optional.empty(), true))
        .hasMessageContaining("--tls-client-ca");
  }

  @Test
  @DisplayName("without authorities a client's certificate counts for nothing")
  void noAuthorities() throws Exception {
    Path store = certificates.pkcs12("server", "CN=server", "RSA");
    Path billing = certificates.pkcs12("billing", "CN=billing", "RSA");
    try (ServerTls tls = ServerTls.open(new TlsSettings(pem(store)))) {
      serve(tls);
      try (Connection connection = new Connection(port, Optional.of(billing))) {
        assertThat(connection.get()).isEqualTo("true nobody");
      }
    }
  }

  /** With TLS 1.3 a server refuses a certificate only after the client's handshake is done. */
  private boolean canTalk(Optional<Path> identity) throws GeneralSecurityException {
    try (Connection connection = new Connection(port, identity)) {
      return connection.get().startsWith("true");
    } catch (IOException e) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC"})
  @DisplayName("the older forms of OpenSSL's keys are read as well")
  void oldKeys(String algorithm) throws Exception {
    Path store = certificates.pkcs12("old", "CN=old", algorithm);
    Path chain = write("server.pem", TestCertificates.certificatePem(store));
    Path key = write("server.key", TestCertificates.oldKeyPem(store));
    try (ServerTls tls = ServerTls.open(new TlsSettings(new TlsSettings.PemFiles(chain, key)))) {
      serve(tls);
      try (Connection connection = connect()) {
        assertThat(connection.get()).isEqualTo("true nobody");
      }
      assertThat(tls.ends()).isBetween(Instant.now(), Instant.now().plus(Duration.ofDays(31)));
    }
  }

  @Test
  @DisplayName("TLS 1.1 is not spoken, TLS 1.2 is")
  void protocols() throws Exception {
    Path store = certificates.pkcs12("server", "CN=server", "RSA");
    try (ServerTls tls = ServerTls.open(new TlsSettings(pem(store)))) {
      serve(tls);
      try (Connection connection = new Connection(port, Optional.empty(), "TLSv1.2")) {
        assertThat(connection.get()).isEqualTo("true nobody");
      }
      assertThatThrownBy(() -> new Connection(port, Optional.empty(), "TLSv1.1"))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  @DisplayName("files that cannot be used are errors at the start, without their content")
  void unusable() throws Exception {
    Path store = certificates.pkcs12("server", "CN=server", "RSA");
    TlsSettings.PemFiles good = pem(store);
    Path other = certificates.pkcs12("other", "CN=other", "EC");
    Path otherKey = write("other.key", TestCertificates.keyPem(other));
    String encrypted = TestCertificates.pem("ENCRYPTED PRIVATE KEY", new byte[] {1, 2, 3});

    assertError(good.certificates(), folder.resolve("none"), "does not exist");
    assertError(good.certificates(), otherKey, "must be a key for RSA, as the certificate is");
    assertError(good.certificates(), good.certificates(), "BEGIN PRIVATE KEY");
    assertError(good.key(), good.key(), "BEGIN CERTIFICATE");
    assertError(good.certificates(), write("enc.key", encrypted), "must not be encrypted");
    assertThatThrownBy(
            () -> ServerTls.open(new TlsSettings(new TlsSettings.Pkcs12File(store, "wrong-one"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("password")
        .message()
        .doesNotContain("wrong-one");
  }

  private static void assertError(Path chain, Path key, String message) {
    assertThatThrownBy(() -> ServerTls.open(new TlsSettings(new TlsSettings.PemFiles(chain, key))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("certificate " + chain + " and " + key)
        .hasMessageContaining(message);
  }

  @Test
  @DisplayName("no text of a key shows the key")
  void noKeyInText() throws Exception {
    Path store = certificates.pkcs12("server", "CN=server", "RSA");
    KeyStore loaded = TestCertificates.load(store);
    assertThat(loaded.size()).isEqualTo(1);
    KeyMaterial material =
        KeyMaterial.fromPkcs12(Files.readAllBytes(store), TestCertificates.PASSWORD);
    assertThat(material.toString()).startsWith("certificate of CN=server, valid until 20");
  }
}
